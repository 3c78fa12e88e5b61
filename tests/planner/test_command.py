"""python -m xdsl_bufferization.planner: MiniMalloc's files in, plans out."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from xdsl_bufferization.planner import check
from xdsl_bufferization.planner.__main__ import main
from xdsl_bufferization.planner.csv_files import read_table, write_table

FIVE = """\
id,lower,upper,size
first,0,3,4
second,3,9,4
third,0,9,4
fourth,9,21,4
fifth,0,21,4
"""


def run(tmp_path: Path, text: str, *options: str) -> int:
    file = tmp_path / "buffers.csv"
    file.write_text(text)
    return main([str(file), *options])


def test_a_dash_is_the_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(tmp_path, FIVE) == 0
    expected = capsys.readouterr()
    assert run(tmp_path, FIVE, "-o", "-") == 0
    output = capsys.readouterr()
    assert output.out == expected.out
    assert output.err.startswith("height: 12\n")
    assert not (tmp_path / "-").exists()


def test_a_plan_is_printed_with_its_height(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, FIVE) == 0
    output = capsys.readouterr()
    rows = list(csv.DictReader(output.out.splitlines()))
    assert [row["id"] for row in rows] == ["first", "second", "third", "fourth", "fifth"]
    check(read_table(FIVE).buffers, [int(row["offset"]) for row in rows])
    assert "height: 12\nlower bound: 12\nratio: 1.0000\nseconds: " in output.err


def test_a_plan_is_written_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plan.csv"
    assert run(tmp_path, FIVE, "--output", str(out)) == 0
    assert out.read_text().startswith("id,lower,upper,size,offset\nfirst,0,3,4,")
    assert "height: 12" in capsys.readouterr().out


def test_alignments_and_other_columns(tmp_path: Path) -> None:
    text = "size, id, lower, upper, alignment, note\n3,a,0,2,4,x\n3,b,0,2,4,y\n"
    table = read_table(text)
    assert [buffer.alignment for buffer in table.buffers] == [4, 4]
    assert write_table(table, [0, 4]).splitlines() == [
        "size,id,lower,upper,alignment,note,offset",
        "3,a,0,2,4,x,0",
        "3,b,0,2,4,y,4",
    ]


def test_an_alignment_may_be_left_out() -> None:
    table = read_table("id,lower,upper,size,alignment\na,0,2,4,8\nb,0,2,4,\n")
    assert [buffer.alignment for buffer in table.buffers] == [8, 1]


def test_a_missing_file_is_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "nope.csv")
    assert main([file]) == 2
    assert capsys.readouterr().err == f"{file}: No such file or directory\n"


def test_a_result_can_be_planned_again() -> None:
    result = write_table(read_table(FIVE), [0, 0, 4, 0, 8])
    again = read_table(result)
    assert again.buffers == read_table(FIVE).buffers
    assert write_table(again, [0, 0, 4, 0, 8]) == result


def test_a_capacity_that_is_too_small_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, FIVE, "--capacity", "12") == 0
    assert run(tmp_path, FIVE, "--capacity", "11") == 1
    assert "more than the capacity 11" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("id,lower,upper\na,0,1\n", "line 1: the column size is missing"),
        ("id,id,lower,upper,size\na,a,0,1,1\n", "line 1: the column 'id' occurs twice"),
        ("id,lower,upper,size\na,0,1\n", "line 2: 3 fields, but the first line has 4"),
        ("id,lower,upper,size\na,0,x,1\n", "line 2: upper is not an integer: 'x'"),
        ("id,lower,upper,size\na,0,1.5,1\n", "line 2: upper is not an integer: '1.5'"),
        ("id,lower,upper,size\na,0,1,4_0\n", "line 2: size is not an integer: '4_0'"),
        (
            f"id,lower,upper,size\na,0,{1 << 63},1\n",
            "line 2: upper is not between -2^63 + 1 and 2^63 - 1: '9223372036854775808'",
        ),
        (
            f"id,lower,upper,size\na,0,1,{'9' * 5000}\n",
            f"line 2: size is not between -2^63 + 1 and 2^63 - 1: '{'9' * 40}...'",
        ),
        ("id,lower,upper,size\n# b,0,1,1,\n", "line 2: 5 fields, but the first line"),
        ("id,lower,upper,size\na,3,1,1\n", "line 2: the live range from 3 to 1 is empty"),
        ("id,lower,upper,size\na,1,1,1\n", "line 2: the live range from 1 to 1 is empty"),
        ("id,lower,upper,size\na,0,1,-1\n", "line 2: the size -1 is negative"),
        ("id,lower,upper,size,alignment\na,0,1,1,0\n", "the alignment 0 is not positive"),
        ("id,lower,upper,size,gaps\na,0,9,1,3\n", "gaps are written as 3-5 8-9, not '3'"),
        ("id,lower,upper,size,gaps\na,0,9,1,3-10\n", "3-10 is not in the live range"),
        (
            "id,lower,upper,size,gaps\na,0,9,1,5-3\n",
            "csv: line 2: the gap 5-3 ends",
        ),
        (
            "id,lower,upper,size,gaps\na,0,9,1,0-4 4-9\n",
            "the gaps leave nothing of the live range: remove the row",
        ),
        (
            "id,lower,upper,size,gaps\na,0,9,1,2-5 4-6\n",
            "the gaps 2-5 and 4-6 overlap: write one for both",
        ),
        ("id,lower,upper,size\n,0,1,1\n", "line 2: the id is empty: give each buffer"),
        ("id,lower,upper,size\na,0,1,1\nb\0,0,1,1\n", r"line 3: there is the control"),
        ("id,lower,upper,size\na\x1b[1m,0,1,1\n", r"control character '\x1b'"),
        (
            'id,lower,upper,size\na,0,1,1\n"b,0,1,1\nc,0,1,1\n',
            "line 3: unexpected end of data: close each quote",
        ),
        (
            f"id,lower,upper,size\n{'a' * 200_000},0,1,1\n",
            "line 2: field larger than field limit (131072): close each quote",
        ),
        ("id;lower;upper;size\na;0;1;1\n", "by commas, not by semicolons"),
        ("id\tlower\tupper\tsize\na\t0\t1\t1\n", "by commas, not by tabs"),
        ("ID,Lower,Upper,Size\na,0,1,1\n", "line 1: the column ID: write id"),
        ("id,lower,upper,size,Alignment\na,0,1,1,4\n", "Alignment: write alignment"),
        ("id,lower,upper,size,GAPS\na,0,9,1,2-4\n", "GAPS: write gaps"),
        (
            "id,lower,upper,size\na,0,1,1\n\na,0,1,1\n",
            "line 4: the id 'a' is that of line 2: give each buffer",
        ),
    ],
)
def test_bad_files_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    assert run(tmp_path, text) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert not output.out


def test_a_file_in_another_encoding_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "buffers.csv"
    file.write_bytes(b"id,lower,upper,size\na,0,1,4\n\xe4,0,1,4\n")
    assert main([str(file)]) == 2
    assert f"{file}: line 3: byte 0xe4 is not UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("output", ["", "none/plan.csv"])
def test_where_the_plan_cannot_be_written_is_said_before(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    output: str,
) -> None:
    monkeypatch.setattr("xdsl_bufferization.planner.__main__.plan", lambda *_: 1 / 0)
    path = tmp_path / output
    assert run(tmp_path, FIVE, "--output", str(path)) == 2
    assert capsys.readouterr().err.startswith(f"{path}: ")


def test_what_is_in_the_output_stays_until_there_is_a_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xdsl_bufferization.planner.__main__.plan", lambda *_: 1 / 0)
    path = tmp_path / "plan.csv"
    for text in (None, "earlier\n"):
        if text is not None:
            path.write_text(text)
        with pytest.raises(ZeroDivisionError):
            run(tmp_path, FIVE, "--output", str(path))
        assert path.exists() == (text is not None)
    assert path.read_text() == "earlier\n"


def test_a_file_that_does_not_exist_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_the_command_needs_no_xdsl(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from xdsl_bufferization.planner.__main__ import main\n"
        "assert main(['-']) == 0\n"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'xdsl']\n"
    )
    subprocess.run([sys.executable, "-c", script], input=FIVE, text=True, check=True)


def test_gaps_are_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "id,lower,upper,size,gaps\na,0,9,4,5-7 2-4\nb,2,4,4,\nc,5,7,4,\n"
    first, *_ = read_table(text).buffers
    assert first.lifetime == ((0, 2), (4, 5), (7, 9))
    assert run(tmp_path, text) == 0
    assert "height: 4\n" in capsys.readouterr().err
    # A gap in a part of a buffer is none for all of it.
    (part,) = read_table("id,lower,upper,size,gaps\na,0,9,4,2-4@0:2\n").buffers
    assert part.lifetime == ((0, 9),)


@pytest.mark.parametrize("option", ["--capacity", "--steps"])
def test_negative_options_are_refused(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(tmp_path, FIVE, option, "-1")
    assert "-1 is not a number from 0 on" in capsys.readouterr().err


def test_streams_are_utf_8(tmp_path: Path) -> None:
    """Whatever the locale says."""
    command = [sys.executable, "-m", "xdsl_bufferization.planner", "-"]
    environment = {"PYTHONPATH": ":".join(sys.path), "PYTHONIOENCODING": "ascii"}
    text = "id,lower,upper,size\n\u00e4,0,1,4\n"
    result = subprocess.run(
        command, input=text.encode(), capture_output=True, env=environment, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.decode() == "id,lower,upper,size,offset\n\u00e4,0,1,4,0\n"
    result = subprocess.run(
        command, input=b"\xff\xfe", capture_output=True, env=environment, check=False
    )
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("- <&-", "-: the standard input is closed"),
        ("buffers.csv >&-", "the standard output: it is closed"),
        ("buffers.csv > /dev/full", "the standard output: No space left on device"),
        ("buffers.csv -o /dev/full", "/dev/full: No space left on device"),
        ("buffers.csv -o ''", "--output is empty: name a file"),
        (". ", ".: Is a directory"),
        ("buffers.csv -o /dev/stdout | true", ""),
        ("buffers.csv | true", ""),
    ],
)
def test_streams_that_fail(tmp_path: Path, arguments: str, error: str) -> None:
    """A line says why. Nothing is said if nobody reads the output."""
    (tmp_path / "buffers.csv").write_text(FIVE)
    command = f"{sys.executable} -m xdsl_bufferization.planner {arguments}"
    result = subprocess.run(
        ("bash", "-c", command), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if error:
        assert (result.returncode, result.stderr) == (2, f"{error}\n")
    else:
        assert "Traceback" not in result.stderr
        assert "Exception" not in result.stderr


def test_no_part_of_a_plan_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk is full when a part has been written."""

    def write_a_part(path: Path, text: str, encoding: str) -> None:
        path.write_bytes(text[:9].encode(encoding))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", write_a_part)
    (tmp_path / "buffers.csv").write_bytes(FIVE.encode())
    output = tmp_path / "plan.csv"
    assert main([str(tmp_path / "buffers.csv"), "--output", str(output)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert not output.exists()
