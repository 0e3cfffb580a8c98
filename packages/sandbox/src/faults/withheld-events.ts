import type { FaultKnobs } from '../sandbox-api.ts'

type ToldEvent = { readonly ledger: number; readonly contractId: string }

/** What `getEvents` answers while a knob has it leave events out: those of some ledgers, or of a contract. */
export const withheld = <A extends ToldEvent>(events: ReadonlyArray<A>, faults: FaultKnobs): ReadonlyArray<A> => {
  const knob = faults.present().missing_events
  if (knob === undefined) return events
  const { from_ledger: first = 0, to_ledger: last = Number.POSITIVE_INFINITY, contract } = knob
  const isMeant = ({ ledger, contractId }: ToldEvent) =>
    ledger >= first && ledger <= last && (contract === undefined || contract === contractId)
  return events.some(isMeant) && faults.take('missing_events') !== undefined
    ? events.filter((each) => !isMeant(each))
    : events
}
