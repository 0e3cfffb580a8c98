import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { CommandContext } from '@quittance/billing'
import { asText, CurrencyCode, count, ProductType, positiveCount } from '@quittance/domain'
import { configFrom, openPlatform, type Platform } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Benchmark, median } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 5
const callers = 64
const commandsPerRound = 12_800

const rightOf = async <L extends { readonly _tag: string }, A>(task: TaskEither<L, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Error(outcome.left._tag)
  return outcome.right
}

const decoded = <A>(outcome: E.Either<unknown, A>): A => {
  if (E.isLeft(outcome)) throw new Error('the benchmark is given something malformed')
  return outcome.right
}

type Command = (context: CommandContext) => TaskEither<{ readonly _tag: string }, unknown>

/** Every caller gives its next command when the one before is answered; returns commands per second. */
const measure = async ({ clock }: Platform, merchantId: string, command: Command): Promise<number> => {
  const caller = async (): Promise<void> => {
    for (let n = 0; n < commandsPerRound / callers; n++) {
      const commandId = randomUUID()
      const rest = { correlationId: commandId, causationId: null, actor: 'bench', at: clock.now() }
      await rightOf(command({ merchantId, environment: 'testnet', commandId, ...rest, isFirstRun: true }))
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  return commandsPerRound / ((performance.now() - startedAt) / 1_000)
}

const medianOf = async (run: () => Promise<number>): Promise<number> => {
  await run()
  const results: Array<number> = []
  for (let round = 0; round < rounds; round++) results.push(await run())
  return median(results)
}

/**
 * Whole commands per second through the billing core, as the service runs them: load the streams, decide, append
 * durably, and write every read model in the same transaction.
 */
export const commands: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const config = decoded(configFrom({ QUITTANCE_DATA_DIR: join(folder, 'data'), QUITTANCE_LOG_LEVEL: 'silent' }))
    const platform = decoded(await openPlatform(config))
    const { billing, clock } = platform
    const commandId = randomUUID()
    const rest = { correlationId: commandId, causationId: null, actor: 'bench', at: clock.now() }
    const founding = billing.merchants.create({ environment: 'testnet', commandId, ...rest }, asText('Bench'))
    const { merchantId } = await rightOf(founding)

    const product = {
      name: asText('A book'),
      description: asText('On ledgers'),
      images: [],
      type: decoded(ProductType.decode('one_time')),
      currency: decoded(CurrencyCode.decode('EUR')),
      price: { amount: '12.5', amountCents: null },
      assetId: null,
      recurringPeriod: null,
      trialDays: null,
      unit: null,
      unitsPerCredit: positiveCount(1),
      totalCredits: count(0),
      metadata: { shelf: 'a3' },
    }
    const guest = { id: null, email: null, phone: null }
    const options = { customer: guest, redirectUrl: null, description: null, metadata: {} }
    const create: Command = (context) => billing.products.create(context, product)
    const checkout: Command = (context) =>
      billing.checkouts.createDirect(context, { amount: '12.5', amountCents: null }, 'USDC', options)
    const results = {
      'create product, commands a second': await medianOf(() => measure(platform, merchantId, create)),
      'create direct checkout (2 events), commands a second': await medianOf(() =>
        measure(platform, merchantId, checkout),
      ),
    }
    await platform.close()
    return results
  })
