import { isSame, type RecordedEvent } from '@quittance/domain'
import { brokenRecord } from '@quittance/event-store'
import {
  checkouts,
  exceptions,
  foldRow,
  intents,
  ledgerTransactions,
  payments,
  payouts,
  type ReadModel,
  type ReadModels,
  refunds,
  type Table,
} from '@quittance/projections'
import * as O from 'fp-ts/lib/Option.js'
import { everyInTurn } from '../../kernel/checks-in-turn.ts'
import type { Breach } from '../../stores/invariant.ts'

type Folded = {
  readonly category: string
  readonly isFolded: (readModels: ReadModels, id: string, events: ReadonlyArray<RecordedEvent>) => Promise<boolean>
}

const folded = <Row>(model: ReadModel<Row>, tableOf: (readModels: ReadModels) => Table<Row>): Folded => ({
  category: model.category,
  isFolded: async (readModels, id, events) =>
    isSame((await tableOf(readModels).withId(id))?.row ?? null, O.toNullable(foldRow(model, events))),
})

/** The read models that money is moved by. */
const foldedModels: ReadonlyArray<Folded> = [
  folded(checkouts, (all) => all.checkouts),
  folded(payments, (all) => all.payments),
  folded(refunds, (all) => all.refunds),
  folded(payouts, (all) => all.payouts),
  folded(exceptions, (all) => all.exceptions),
  folded(intents, (all) => all.intents),
  folded(ledgerTransactions, (all) => all.ledgerTransactions),
]

/** Whether a stream's row equals the fold of its events; true for streams of other read models. */
export const isRowFolded = (
  readModels: ReadModels,
  { category, id }: { readonly category: string; readonly id: string },
  events: ReadonlyArray<RecordedEvent>,
): Promise<boolean> =>
  everyInTurn(
    foldedModels,
    async (model) => model.category !== category || (await model.isFolded(readModels, id, events)),
  )

/** The first event of a stream that does not follow the one before it. */
export const chainBreaches = (events: ReadonlyArray<RecordedEvent>): ReadonlyArray<Breach> => {
  for (const [index, event] of events.entries()) {
    const broken = brokenRecord(event, events[index - 1] ?? null)
    if (broken !== null) return [{ invariant: 'hash_chains', detail: `revision ${event.revision} ${broken}` }]
  }
  return []
}
