import * as t from 'io-ts'
import { fullRoom } from '../ledger/ledger-room.ts'

/** A whole number, whose limits others can read. */
export class WholeNumber extends t.Type<number, number, unknown> {
  readonly least: number
  readonly most: number
  constructor(least: number, most: number, name: string) {
    const is = (input: unknown): input is number =>
      Number.isSafeInteger(input) && Number(input) >= least && Number(input) <= most
    super(name, is, (input, context) => (is(input) ? t.success(input) : t.failure(input, context)), t.identity)
    this.least = least
    this.most = most
  }
}

const wholeNumber = (least: number, most: number, name: string) => new WholeNumber(least, most, name)

const count = wholeNumber(1, 1_000_000, 'a whole number from 1 on')
const ledgerSequence = wholeNumber(1, 4_294_967_295, 'the number of a ledger')
const names = t.readonlyArray(t.string)

/** An object without other keys: a misspelt key would set a knob other than the caller meant. */
const closed = <R extends t.Props, O extends t.Props>(required: R, optional: O) => {
  const known = new Set([...Object.keys(required), ...Object.keys(optional)])
  const name = `an object of ${[...Object.keys(required), ...Object.keys(optional).map((key) => `${key}?`)].join(', ')}`
  return t.refinement(
    t.intersection([t.type(required), t.partial(optional)]),
    (value) => Object.keys(value).every((key) => known.has(key)),
    name,
  )
}

/** `times` ends a knob after so many answers; `every` applies it to every second, third … answer. */
const scope = { times: count, every: count }

/** Ends a knob that concerns the whole network after so many ledgers. */
const span = { for_ledgers: count }

/** The fault knobs by name. An absent knob is off. */
export const Faults = closed(
  {},
  {
    /** `sendTransaction` accepts, but the connection ends without an answer. Counts accepted submissions. */
    lose_reply: closed({}, scope),
    /** Accepted transactions (PENDING) never reach a ledger. Counts accepted submissions. */
    drop: closed({}, scope),
    /** Accepted transactions wait this many ledgers longer. Counts accepted submissions. */
    include_late: closed({ ledgers: count }, scope),
    /** Answers are this many ledgers old. Counts requests. */
    lag: closed({ ledgers: wholeNumber(1, 200, 'a whole number from 1 to 200') }, scope),
    /** Only this many of the last ledgers are available. Counts requests. */
    prune: closed({ keep: count }, scope),
    /** `getLedgers` omits this ledger, or one from the middle of the page. Counts such answers. */
    ledger_gap: closed({}, { ...scope, ledger: ledgerSequence }),
    /** `getLedgers` hides the transactions of this ledger, or of the first that has any. Counts such answers. */
    lie: closed({}, { ...scope, ledger: ledgerSequence }),
    /** `getHealth` answers without close times, as stellar-rpc before 27.1.0 does. Counts such answers. */
    old_health: closed({}, scope),
    /** Requests get no answer, or only those for one of `methods`. Counts them. */
    silent: closed({}, { ...scope, methods: names }),
    /** Requests fail with this HTTP status (503), or only those for one of `methods`. Counts them. */
    server_error: closed({}, { ...scope, methods: names, status: wholeNumber(500, 599, 'a status from 500 to 599') }),
    /** The minimum fee of an operation, in stroops. With `accepts_less` the queue accepts less, but ledgers do not. */
    fee_surge: closed(
      { base_fee: wholeNumber(100, 10_000_000, 'stroops from 100 to 10,000,000') },
      { ...span, accepts_less: t.boolean },
    ),
    /** The capacity of a ledger: classic operations and contract transactions. The queue holds twice as much. */
    ledger_room: closed(
      {},
      {
        ...span,
        operations: wholeNumber(1, fullRoom.classic, 'a whole number from 1 to 1,000'),
        contract_transactions: wholeNumber(1, fullRoom.contract, 'a whole number from 1 to 200'),
      },
    ),
    /** `getEvents` omits the events of these ledgers, of this contract. Counts answers that omit one. */
    missing_events: closed(
      {},
      { ...scope, from_ledger: ledgerSequence, to_ledger: ledgerSequence, contract: t.string },
    ),
    /** The mandate contract's allowance of an account's asset expires with each ledger. */
    expired_allowance: closed({ account: t.string, asset_id: t.string }, span),
    /**
     * A mandate (hex), or another entry by its key (base64), is archived with each ledger, or has only so many ledgers left.
     */
    archived_entry: closed({}, { ...span, mandate: t.string, key: t.string, ledgers_left: ledgerSequence }),
    /**
     * The network runs this protocol from the next ledger on, and its nodes are `prepared` for that one. With `unreadable`,
     * what transactions have changed is told in a form that no decoder knows; with `unreadable_of`, only of those that name this
     * account.
     */
    protocol: closed(
      {},
      {
        current: wholeNumber(27, 999, 'a protocol from 27 to 999'),
        prepared: wholeNumber(27, 999, 'a protocol from 27 to 999'),
        unreadable: t.boolean,
        unreadable_of: t.string,
      },
    ),
    /** The issuer revokes the authorization of an account's trustline. */
    deauthorise: closed({ account: t.string, asset_id: t.string }, span),
  },
)
export type Faults = t.TypeOf<typeof Faults>
/** The name of a fault that the sandbox can be told to make. */
export type Knob = keyof Faults
