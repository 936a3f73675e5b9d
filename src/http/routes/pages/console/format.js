/** Formats values, the same way on all pages. */
import { signal } from '@preact/signals';
import { serverNow } from '../pages/session.js';

/** Changes often enough for relative times. */
const tick = signal(0);
setInterval(() => {
  tick.value += 1;
}, 20_000);

/** Returns the current time. Components that call it are rendered again as time passes. */
function currentTime() {
  void tick.value;
  return serverNow();
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat(undefined, { style: 'narrow', numeric: 'auto' });

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a time in full. */
export const fullTime = (value) => full.format(new Date(value));

/** Formats a time in few characters: `2 min. ago`, `5 Jan`. */
export function shortTime(value) {
  const time = new Date(value);
  const now = currentTime();
  const seconds = (time.getTime() - now) / 1000;
  const size = Math.abs(seconds);
  if (size < 45) return 'just now';
  if (size < HOUR) return relative.format(Math.round(seconds / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.round(seconds / HOUR), 'hour');
  if (size < 6 * DAY) return relative.format(Math.round(seconds / DAY), 'day');
  return (time.getFullYear() === new Date(now).getFullYear() ? day : dayOfYear).format(time);
}

const moneyFormats = new Map();

/** Decimals by currency, of those that do not have two, from the server's table of ISO 4217. */
const decimals = JSON.parse(document.getElementById('console').dataset.decimals);

/** Returns the number of decimals of a currency. */
export const decimalsOf = (currency) => decimals[currency] ?? 2;

/** Formats an amount with the decimals of its currency. */
export function money(value, currency) {
  let format = moneyFormats.get(currency);
  if (!format) {
    const digits = decimalsOf(currency);
    format = new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    moneyFormats.set(currency, format);
  }
  return format.format(value);
}

const numbers = new Intl.NumberFormat();

export const count = (value) => numbers.format(value);

/** Formats a number with its unit: `1 point`, `2 points`. */
export const counted = (value, unit) => `${count(value)} ${unit}${value === 1 ? '' : 's'}`;

/** Converts names such as `order.created` and `by_hand` to words. */
export const words = (name) => name.replaceAll(/[._]/g, ' ').replaceAll(/\bapi\b/g, 'API');

/** Converts a name to words that begin with a capital letter. */
export const sentence = (name) => words(name).replace(/^./, (first) => first.toUpperCase());
