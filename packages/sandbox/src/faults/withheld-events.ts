import type { FaultKnobs } from '../sandbox-api.ts'

type EventOfContract = { readonly ledger: number; readonly contractId: string }

/** A page of `getEvents` without the events that a knob withholds. */
export const withholdEvents = <A extends EventOfContract>(
  events: ReadonlyArray<A>,
  faults: FaultKnobs,
): ReadonlyArray<A> => {
  const knob = faults.present().missing_events
  if (knob === undefined) return events
  const { from_ledger: first = 0, to_ledger: last = Number.POSITIVE_INFINITY, contract } = knob
  const isMeant = ({ ledger, contractId }: EventOfContract) =>
    ledger >= first && ledger <= last && (contract === undefined || contract === contractId)
  return events.some(isMeant) && faults.take('missing_events') !== undefined
    ? events.filter((each) => !isMeant(each))
    : events
}
