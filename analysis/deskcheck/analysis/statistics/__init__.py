"""Numbers that are estimated: functions of arrays and frames that say how sure each number is."""
