import { type Billing, type HistoryEntry, kindOfId, whyStatus } from '@quittance/billing'
import type { UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { Argument, Option } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, option, type ParsedLine } from '../command.ts'
import { type CommandError, refused, usageError } from '../command-error.ts'
import { asCsv } from '../explain/csv.ts'
import { differencesOf, differing } from '../explain/diff.ts'
import { asPage } from '../explain/html.ts'
import { chained, explained } from '../explain/text.ts'
import type { Failure } from '../failures.ts'
import { readTime } from '../read-time.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'
import { shownBy } from '../shown-by.ts'

type Answer = E.Either<CommandError | Failure, CommandResult>
type Found = E.Either<CommandError | Failure, ReadonlyArray<HistoryEntry>>

const noKind = (id: string): CommandError =>
  usageError(`${id} is the id of nothing that has a history, such as pay_…, sub_…, cus_…, chk_…, rf_… or cus_…/prod_…`)

export const explain: Command = {
  name: 'explain',
  summary: 'Tells what happened to a resource, and why.',
  explanation: `Tells the history of a payment, subscription, customer, checkout, refund, or whatever else has an id, with all that
belongs to it: each event in one sentence, with its reason and what it follows from, the price, the rates with their sources, the
amount on the ledger, the transaction, and the webhooks that told of it. It comes from the log alone and holds nothing personal.
--why <status> names what led to that status, back to a request, a closed ledger or a time that had come. --diff compares history
and fields at two moments (2026-11-01..2026-12-01), or with those of another resource (its id). Nothing is changed.`,
  argument: new Argument('<id>', 'The id of a resource, or cus_…/prod_… for credits.'),
  options: [
    option('--why <status>', 'Only what led to this status, such as past_due.'),
    option('--diff <other>', 'What differs between two moments, <time>..<time>, or from another resource, <id>.'),
    new Option('--csv', 'Prints CSV.').conflicts(['html', 'why', 'diff']),
    new Option('--html', 'Prints one page that needs nothing else, with a drawing.').conflicts(['why', 'diff']),
    merchantOption,
    environmentOption,
  ],
  needsSoundLog: false,
  example: {
    words: 'sub_… --why past_due',
    prints: `2026-12-01 00:00:05  Charge of 10 USD attempted for period 1, as 10 USDC (a new period has begun: …; its time had come)
  → 2026-12-01 00:00:05  Payment of 10 USD opened (a charge of a subscription fell due)
    → 2026-12-01 00:00:05  Decided to charge 10 USDC to wallet GDUS…WBO2
      → 2026-12-01 00:00:10  The charge of 10 USDC is not sent any more (a simulation found …: balance too low)
        → 2026-12-01 00:00:10  Payment failed (the contract refused the charge)
          → 2026-12-01 00:00:10  Charge for period 1 failed; tried again from … on (the customer's balance was too low)`,
    json: '{"id":"sub_…","why":"past_due","entries":[{"id":"…","object":"history_entry","type":"ChargeAttempted","what":"…","why":"…","cause":{"type":"clock","entry_id":null},…},…]}',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async (billing, scope): Promise<Answer> => {
      const id = line.required('id')
      const entries = await historyOf(billing, scope, id)
      if (E.isLeft(entries)) return entries
      const [why, other] = [line.option('why'), line.option('diff')]
      if (why !== null && other !== null) return E.left(usageError('Give --why or --diff, not both.'))
      if (why !== null) return explainStatus(entries.right, id, why)
      if (other !== null) return compare(billing, scope, id, entries.right, other)
      return E.right({ status: 0, json: { id, entries: entries.right }, text: rendered(line, entries.right, id) })
    }),
}

const rendered = (line: ParsedLine, entries: ReadonlyArray<HistoryEntry>, id: string): string => {
  if (line.isSet('csv')) return asCsv(entries)
  return line.isSet('html') ? asPage(entries, id) : explained(entries)
}

const historyOf = async (billing: Billing, scope: Scope, id: string): Promise<Found> => {
  const kind = kindOfId(id)
  if (kind === null) return E.left(noKind(id))
  const found = await billing.histories.of(scope, { kind, id })()
  return E.isLeft(found) ? found : E.right(found.right.resources)
}

const explainStatus = (entries: ReadonlyArray<HistoryEntry>, id: string, status: string): Answer => {
  const chain = whyStatus(entries, id, status)
  if (chain !== null) return E.right({ status: 0, json: { id, why: status, entries: chain }, text: chained(chain) })
  const had = new Set(entries.flatMap((each) => (each.resource.id === id ? (each.status ?? []) : [])))
  return E.left(refused('never_so', `${id} was never ${status}. It was ${[...had].join(', ') || 'of no status'}.`))
}

const compare = async (
  billing: Billing,
  scope: Scope,
  id: string,
  entries: ReadonlyArray<HistoryEntry>,
  other: string,
): Promise<Answer> => {
  if (kindOfId(other) !== null) {
    const others = await historyOf(billing, scope, other)
    if (E.isLeft(others)) return others
    const [own, its] = [await shownAt(billing, scope, id, null), await shownAt(billing, scope, other, null)]
    return compared(
      { name: id, id, entries, resource: own },
      { name: other, id: other, entries: others.right, resource: its },
    )
  }
  const [from, to, ...more] = other.split('..').map(readTime)
  if (from == null || to == null || more.length > 0 || from >= to) {
    return E.left(usageError('--diff takes <time>..<time>, such as 2026-11-01..2026-12-01T12:00Z, or an id.'))
  }
  const at = async (time: UnixMs) => ({
    name: new Date(time).toISOString(),
    id,
    entries: entries.filter(({ occurred_at }) => Date.parse(occurred_at) <= time),
    resource: await shownAt(billing, scope, id, time),
  })
  return compared(await at(from), await at(to))
}

/** What was shown at a moment, null for now; null where it did not exist, or nothing shows it. */
const shownAt = async (billing: Billing, scope: Scope, id: string, at: UnixMs | null): Promise<object | null> => {
  const then = billing.asOf({ at, knownAt: null })
  const found = E.isRight(then) ? await shownBy(id)?.(then.right, scope, id)() : undefined
  return found === undefined || E.isLeft(found) ? null : found.right
}

const compared = (...[one, other]: Parameters<typeof differencesOf>): Answer => {
  const found = differencesOf(one, other)
  return E.right({
    status: 0,
    json: { before: one.name, after: other.name, ...found },
    text: differing(one, other, found),
  })
}
