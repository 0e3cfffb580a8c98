import * as t from 'io-ts'
import { optional, orNull, says } from './codecs.ts'
import { count, isDay, oneOf, such, timestamp } from './values.ts'

/** Whether the process answers. */
export const Health = t.type({ status: t.literal('ok') }, 'Health')

const LedgerReadiness = t.type(
  {
    walked: says('The newest ledger that was read.', orNull(count)),
    latest: says('The newest ledger that has closed.', orNull(count)),
    lag: says('How many ledgers are still to be read.', orNull(t.number)),
    clock_ahead: says(
      "How many seconds this machine's clock is ahead of the newest ledger: a few. Less than 0: it is late.",
      orNull(t.number),
    ),
    halted: says(
      'Why it is not followed any further: a person has to act.',
      orNull(t.type({ reason: t.string, ledger: count }, 'HaltedLedger')),
    ),
  },
  'LedgerReadiness',
)

const BooksOfLedger = t.type(
  {
    unexplained: says('How many changes nobody has accepted.', count),
    first_unexplained: orNull(t.type({ ledger: count, transaction_hash: t.string })),
    named: says('How many changes this process has named, by what names them.', t.record(t.string, count)),
  },
  'BooksOfLedger',
)

/** Whether requests can be answered, with numbers. */
export const Readiness = t.type(
  {
    status: oneOf('ready', 'not_ready'),
    store: says('How many events the log has; null: it cannot be read.', orNull(t.type({ position: count }))),
    log: t.type({
      status: says(
        '`rolled_back`: the log lacks events that it held once, as after a restored backup. No command is taken and nothing is sent until the operator accepts.',
        oneOf('sound', 'rolled_back'),
      ),
      reasons: says(
        'What shows it, by hash: an event that the log lacks, or a transaction of ours on the ledger that it does not know.',
        t.readonlyArray(t.type({ reason: t.string, subject: t.string })),
      ),
    }),
    read_models: orNull(
      t.type({
        lag: says('How many events the one furthest behind lacks.', count),
        defect: says('The one at which all of them stand still.', orNull(t.string)),
        models: t.record(t.string, t.type({ version: count, lag: count })),
      }),
    ),
    ledgers: says(
      'Null where an environment is not configured.',
      t.type({ testnet: orNull(LedgerReadiness), mainnet: orNull(LedgerReadiness) }),
    ),
    writes: says(
      'Whether each file can be written, as of the last 3 seconds. It is locked while another process holds it; full and read_only are of the disk.',
      t.record(t.string, oneOf('ok', 'full', 'locked', 'read_only', 'failing')),
    ),
    rates: t.type({
      status: oneOf('ok', 'degraded'),
      troubles: t.readonlyArray(t.type({ subject: t.string, reason: t.string, since: timestamp })),
      credits_waiting: says('Payments that nobody can judge for want of a rate.', count),
    }),
    payouts: t.type({
      status: oneOf('ok', 'degraded'),
      troubles: says(
        'What keeps money from going out: the account, the transaction or the exception to look at.',
        t.readonlyArray(t.type({ environment: oneOf('testnet', 'mainnet'), reason: t.string, subject: t.string })),
      ),
    }),
    setbacks: t.type({
      status: oneOf('ok', 'degraded'),
      present: says(
        'Merchants for whom work fails again and again, in which loop, and when it is tried again. Others are served. The oldest first, at most 20.',
        t.readonlyArray(
          t.type({
            environment: oneOf('testnet', 'mainnet'),
            merchant: t.string,
            loop: t.string,
            failure: t.string,
            attempts: count,
            since: timestamp,
            next_attempt_at: timestamp,
          }),
        ),
      ),
    }),
    settlement: t.type({
      status: oneOf('ok', 'degraded'),
      not_set_up: says('How many settlement accounts still have something to be set up.', count),
      not_payable: says('How many could not be paid when this process last asked, within the hour.', count),
      merchants: says(
        'The first of them, at most 20. Others are served. `reason` is `not_set_up`, or why a sale was refused.',
        t.readonlyArray(
          t.type({ environment: oneOf('testnet', 'mainnet'), merchant: t.string, reason: t.string, since: timestamp }),
        ),
      ),
    }),
    books: t.type({
      status: oneOf('ok', 'degraded'),
      ledgers: says(
        'What of the balances nothing of ours accounts for, and how changes were named. Null where not configured.',
        t.type({ testnet: orNull(BooksOfLedger), mainnet: orNull(BooksOfLedger) }),
      ),
      violations: says(
        'What must never be otherwise, and is: a person has to look. The oldest first, at most 20.',
        t.readonlyArray(
          t.type({
            environment: oneOf('testnet', 'mainnet'),
            invariant: t.string,
            subject: t.string,
            since: timestamp,
          }),
        ),
      ),
    }),
  },
  'Readiness',
)

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
export const SandboxClock = t.type({ now: timestamp, ledger: count }, 'SandboxClock')
