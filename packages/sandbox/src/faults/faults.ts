import * as t from 'io-ts'
import { fullRoom } from '../ledger/ledger-room.ts'

const wholeNumber = (least: number, most: number, name: string) =>
  t.refinement(t.number, (value) => Number.isSafeInteger(value) && value >= least && value <= most, name)

const count = wholeNumber(1, 1_000_000, 'a whole number from 1 on')
const ledgerSequence = wholeNumber(1, 4_294_967_295, 'the number of a ledger')
const names = t.readonlyArray(t.string)

/** An object that has no other keys: a misspelt one would be a knob that does something else than was asked for. */
const closed = <R extends t.Props, O extends t.Props>(required: R, optional: O) => {
  const known = new Set([...Object.keys(required), ...Object.keys(optional)])
  const name = `an object of ${[...Object.keys(required), ...Object.keys(optional).map((key) => `${key}?`)].join(', ')}`
  return t.refinement(
    t.intersection([t.type(required), t.partial(optional)]),
    (value) => Object.keys(value).every((key) => known.has(key)),
    name,
  )
}

/** Ends a knob of single answers after so many, and confines it to every second, third … of those it could apply to. */
const scope = { times: count, every: count }

/** Ends a knob of the whole network after so many ledgers. */
const span = { for_ledgers: count }

/** The fault knobs by name. One that is absent is off. */
export const Faults = closed(
  {},
  {
    /** `sendTransaction` accepts, and the connection ends without an answer. Counts what was accepted. */
    lose_reply: closed({}, scope),
    /** What is accepted (PENDING) never comes into a ledger. Counts what was accepted. */
    drop: closed({}, scope),
    /** What is accepted waits for this many ledgers longer. Counts what was accepted. */
    include_late: closed({ ledgers: count }, scope),
    /** Answers are as of so many ledgers ago. Counts requests. */
    lag: closed({ ledgers: wholeNumber(1, 200, 'a whole number from 1 to 200') }, scope),
    /** Only the last ledgers are there, so many of them. Counts requests. */
    prune: closed({ keep: count }, scope),
    /** An answer of `getLedgers` leaves this ledger out, or one from its middle. Counts such answers. */
    ledger_gap: closed({}, { ...scope, ledger: ledgerSequence }),
    /** An answer of `getLedgers` hides the transactions of this ledger, or of the first that has any. Counts such answers. */
    lie: closed({}, { ...scope, ledger: ledgerSequence }),
    /** `getHealth` answers without close times, as stellar-rpc before 27.1.0 does. Counts such answers. */
    old_health: closed({}, scope),
    /** Requests get no answer; with `methods`, those for one of these. Counts them. */
    silent: closed({}, { ...scope, methods: names }),
    /** Requests are answered with this HTTP status (503); with `methods`, those for one of these. Counts them. */
    server_error: closed({}, { ...scope, methods: names, status: wholeNumber(500, 599, 'a status from 500 to 599') }),
    /** The least fee of an operation, in stroops. With `accepts_less` the queue takes less, and ledgers do not. */
    fee_surge: closed(
      { base_fee: wholeNumber(100, 10_000_000, 'stroops from 100 to 10,000,000') },
      { ...span, accepts_less: t.boolean },
    ),
    /** What fits into a ledger: operations of classic transactions, and contract transactions. The queue holds twice as much. */
    ledger_room: closed(
      {},
      {
        ...span,
        operations: wholeNumber(1, fullRoom.classic, 'a whole number from 1 to 1,000'),
        contract_transactions: wholeNumber(1, fullRoom.contract, 'a whole number from 1 to 200'),
      },
    ),
    /** `getEvents` leaves out the events of these ledgers, of this contract. Counts answers that left one out. */
    missing_events: closed(
      {},
      { ...scope, from_ledger: ledgerSequence, to_ledger: ledgerSequence, contract: t.string },
    ),
    /** What an account lets the mandate contract take of an asset lapses with each ledger. */
    expired_allowance: closed({ account: t.string, asset_id: t.string }, span),
    /** A mandate (hex), or another entry by its key (base64), is archived with each ledger. */
    archived_entry: closed({}, { ...span, mandate: t.string, key: t.string }),
    /** The issuer withdraws its consent from an account's trustline. */
    deauthorise: closed({ account: t.string, asset_id: t.string }, span),
  },
)
export type Faults = t.TypeOf<typeof Faults>
export type Knob = keyof Faults
