import * as t from 'io-ts'
import { optional, orNull, says } from './codecs.ts'
import { count, isDay, oneOf, such, timestamp } from './values.ts'

/** Whether the process answers. */
export const Health = t.type({ status: says('Always `ok`.', t.literal('ok')) }, 'Health')

/** Whether requests can be answered. */
export const Ready = t.type({ status: says('Whether requests can be answered.', oneOf('ready', 'not_ready')) }, 'Ready')

const longestSeconds = 10 * 366 * 24 * 60 * 60
const seconds = such(
  t.number,
  (number) => Number.isSafeInteger(number) && number >= 0 && number <= longestSeconds,
  'a whole number of seconds, at most ten years',
  { type: 'integer', minimum: 0, maximum: longestSeconds },
)
const isoTime = '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(Z|[+-]\\d\\d:\\d\\d)$'
const isoPattern = new RegExp(isoTime)
const moment = such(
  t.string,
  (text) => isoPattern.test(text) && isDay(text) && !Number.isNaN(Date.parse(text)),
  'an ISO 8601 time with its zone, such as 2026-11-20T10:00:00Z',
  { type: 'string', pattern: isoTime, examples: ['2026-11-20T10:00:00Z'] },
)

/** The target of the sandbox's clock: one of the two. */
export const Advance = t.type(
  {
    seconds: says('How far from now.', optional(seconds)),
    to: says('Until when, at most ten years ahead.', optional(moment)),
  },
  'Advance',
)

/** The sandbox's time and its latest ledger. */
export const SandboxClock = t.type(
  {
    now: says('The time by which the sandbox lives.', timestamp),
    ledger: says('The sequence of the latest ledger.', count),
  },
  'SandboxClock',
)

/** A mail that the sandbox has kept instead of sending it. */
export const SandboxMail = t.type(
  {
    to: says('The address.', t.string),
    name: says('The name beside the address.', orNull(t.string)),
    subject: says('What it is about.', t.string),
    text: says('The mail as text.', t.string),
    html: says('The mail as HTML.', t.string),
    sent_at: says('When it was sent, by the clock of the sandbox.', timestamp),
  },
  'SandboxMail',
)
