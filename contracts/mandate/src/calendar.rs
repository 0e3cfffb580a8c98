//! Calendar days, weeks, months and years in UTC, counted from Unix seconds and clamped to the month's end.

use crate::types::IntervalUnit;

const DAY: u64 = 86_400;
/// Days from 1 March of the year 0 to 1 January 1970. Years that begin in March end with their leap day.
const EPOCH: u64 = 719_468;
const FOUR_CENTURIES: u64 = 146_097;

/// The start one interval later: 31 January and a month give 28 or 29 February, at the same time of day.
pub fn next(start: u64, unit: IntervalUnit, count: u32) -> u64 {
    match months(unit, count) {
        Ok(months) => add_months(start, months, false),
        Err(days) => start + days * DAY,
    }
}

/// The first second after the period that begins at `start`, for every anchor that `start` may be clamped from.
/// The last day of a month may stand for the 29th, 30th or 31st, so its period may last to the next month's last day:
/// at most 3 days longer than `next`. Any other start is its own anchor, and its period ends at `next`.
pub fn end(start: u64, unit: IntervalUnit, count: u32) -> u64 {
    match months(unit, count) {
        Ok(months) => add_months(start, months, true),
        Err(days) => start + days * DAY,
    }
}

fn months(unit: IntervalUnit, count: u32) -> Result<u64, u64> {
    let count = u64::from(count);
    match unit {
        IntervalUnit::Day => Err(count),
        IntervalUnit::Week => Err(count * 7),
        IntervalUnit::Month => Ok(count),
        IntervalUnit::Year => Ok(count * 12),
    }
}

fn add_months(start: u64, months: u64, last_day_stays_last: bool) -> u64 {
    let (year, month, day) = date(start / DAY);
    let total = year * 12 + month - 1 + months;
    let (to_year, to_month) = (total / 12, total % 12 + 1);
    let last = days_in(to_year, to_month);
    let is_last = day == days_in(year, month);
    let to_day = if day > last || (last_day_stays_last && is_last) { last } else { day };
    days(to_year, to_month, to_day) * DAY + start % DAY
}

fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970 of a date.
fn days(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - EPOCH
}

/// Year, month and day of a number of days since 1970.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + EPOCH;
    let in_era = days % FOUR_CENTURIES;
    let year_of_era = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (year_of_era * 365 + year_of_era / 4 - year_of_era / 100);
    let march_month = (in_year * 5 + 2) / 153;
    let day = in_year - (march_month * 153 + 2) / 5 + 1;
    let year = days / FOUR_CENTURIES * 400 + year_of_era;
    if march_month < 10 { (year, march_month + 3, day) } else { (year + 1, march_month - 9, day) }
}
