import type { NameCounts, Services, Violation, Worker } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { ofEnvironments } from './environments.ts'
import { withoutSessionIds } from './without-session-ids.ts'

/**
 * The unexplained movements up to the last ingested ledger that nobody has accepted: their number, and the first.
 * `named` counts the movements that the worker of this process has explained since it started, by name.
 */
export type BooksOfLedger = {
  readonly unexplained: number
  readonly first_unexplained: { readonly ledger: number; readonly transaction_hash: string } | null
  readonly named: NameCounts
}

type KnownViolation = {
  readonly environment: Environment
  readonly invariant: Violation['invariant']
  readonly subject: string
  readonly since: string
}

/** What the log records about the books. Null where an environment is not configured. */
export type Books = {
  readonly ledgers: Readonly<Record<Environment, BooksOfLedger | null>>
  readonly violations: ReadonlyArray<KnownViolation>
}

/**
 * Neither makes the service unready: unexplained movements have already happened on the ledger, and a violation
 * concerns all processes, so that none of them would sell any more.
 */
export type BooksReadiness = Books & { readonly status: 'ok' | 'degraded' }

/** Unexplained movements degrade nothing: a merchant may have withdrawn its own money. Anyone may read this. */
export const booksReadiness = ({ ledgers, violations }: Books): BooksReadiness => ({
  status: violations.length === 0 ? 'ok' : 'degraded',
  ledgers,
  violations: violations.slice(0, mostShown).map((each) => ({ ...each, subject: withoutSessionIds(each.subject) })),
})

const mostShown = 20

type RecordedBooks = {
  readonly readModels: { readonly unexplained: Pick<Services['readModels']['unexplained'], 'due' | 'countDue'> }
  readonly violations: Pick<Services['violations'], 'present'>
}

/** What any process recorded about the books, and what the workers of this one have named. */
export const booksOf = async (
  services: RecordedBooks,
  workers: Readonly<Record<Environment, Pick<Worker, 'named'> | null>>,
): Promise<Books> => ({
  ledgers: {
    testnet: workers.testnet === null ? null : await booksIn(services, 'testnet', workers.testnet),
    mainnet: workers.mainnet === null ? null : await booksIn(services, 'mainnet', workers.mainnet),
  },
  violations: await ofEnvironments(async (environment) => {
    const present = await services.violations.present(environment)
    return present.map(({ invariant, subject, foundAt }) => ({
      environment,
      invariant,
      subject,
      since: new Date(foundAt).toISOString(),
    }))
  }),
})

const booksIn = async (
  { readModels }: RecordedBooks,
  environment: Environment,
  worker: Pick<Worker, 'named'>,
): Promise<BooksOfLedger> => {
  const first = await firstOf(readModels.unexplained.due(environment, Number.MAX_SAFE_INTEGER))
  return {
    unexplained: await readModels.unexplained.countDue(environment, 0, Number.MAX_SAFE_INTEGER),
    first_unexplained: first && { ledger: first.row.ledger, transaction_hash: first.row.transactionHash },
    named: worker.named(),
  }
}

/** Reads no more than the first item. */
const firstOf = async <A>(items: AsyncIterable<A>): Promise<A | null> => {
  for await (const item of items) return item
  return null
}
