import * as t from 'io-ts'

/**
 * The loops that work for many merchants, each over one kind of item. `pass`: the loops themselves, one after the other. A
 * new loop needs its name here, runs through `eachIsolated`, and gets a scenario in the isolation test.
 */
export const Loop = t.keyof(
  {
    pass: null,
    ledger: null,
    backfill: null,
    awaiting_rate: null,
    refunds: null,
    pending_payments: null,
    deadlines: null,
    exceptions: null,
    payout_schedules: null,
    payouts: null,
    payout_funds: null,
    payers: null,
    price_changes: null,
    subscriptions: null,
    migrations: null,
    follow_up: null,
    alarms: null,
    service_accounts: null,
    set_up: null,
    contract_rent: null,
    anchors: null,
    passed_over: null,
    advance: null,
    dispatch: null,
    attach: null,
    close_out: null,
    give_up: null,
    reports: null,
    invariants: null,
    sweep: null,
    webhooks: null,
  },
  'Loop',
)
export type Loop = t.TypeOf<typeof Loop>
