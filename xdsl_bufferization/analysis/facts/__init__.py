"""Facts about programs that several analyses share: functions, sizes, block graphs."""
