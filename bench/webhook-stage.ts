import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { asText, CurrencyCode, count, HttpUrl, ProductType, positiveCount } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import { configFrom, openPlatform } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

const callers = 64

const rightOf = <A>(outcome: E.Either<unknown, A>): A => {
  if (E.isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
  return outcome.right
}
const done = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => rightOf(await task())

/** A merchant on a platform over files, whose deliverer works on command. */
export const openWebhookStage = async (folder: string) => {
  const config = rightOf(configFrom({ QUITTANCE_DATA_DIR: join(folder, 'data'), QUITTANCE_LOG_LEVEL: 'silent' }))
  const platform = rightOf(await openPlatform(config))
  const { billing, clock, deliverer } = platform
  const fresh = () => {
    const commandId: string = randomUUID()
    const rest = {
      correlationId: commandId,
      causationId: null,
      actor: 'bench',
      at: clock.now(),
      isFirstRun: true as const,
    }
    return { environment: 'testnet' as const, commandId, ...rest }
  }
  const { merchantId } = await done(billing.merchants.create(fresh(), asText('Bench')))
  const product = {
    name: asText('A book'),
    description: asText('On ledgers'),
    images: [],
    type: rightOf(ProductType.decode('one_time')),
    currency: rightOf(CurrencyCode.decode('EUR')),
    price: { amount: '12.5', amountCents: null },
    assetId: null,
    recurringPeriod: null,
    trialDays: null,
    unit: null,
    unitsPerCredit: positiveCount(1),
    totalCredits: count(0),
    metadata: { shelf: 'a3' },
  }
  const sell = () => done(billing.products.create({ ...fresh(), merchantId }, product))
  const rename = (id: string, name: string) =>
    done(billing.products.update({ ...fresh(), merchantId }, id, { name: asText(name) }))
  return {
    deliverer,
    rename,
    /** The ids of all that has been told. */
    told: async (): Promise<ReadonlySet<string>> => {
      const ids = new Set<string>()
      const scope = { merchantId, environment: 'testnet' as const }
      let after: string | null = null
      for (let hasMore = true; hasMore; ) {
        const request = { ...scope, after, type: null, resourceId: null, limit: 500 }
        const page: { resources: ReadonlyArray<{ id: string }>; hasMore: boolean } = await done(
          billing.events.list(request),
        )
        for (const { id } of page.resources) ids.add(id)
        after = page.resources.at(-1)?.id ?? after
        hasMore = page.hasMore
      }
      return ids
    },
    advance: (seconds: number) =>
      done(
        platform.sandbox?.sandbox.advance({ seconds, nextDue: async () => null, settle: async () => undefined }) ??
          TE.right(null),
      ),
    /** Something that happens. */
    sell,
    sellAll: async (events: number): Promise<void> => {
      let left = events
      const caller = async (): Promise<void> => {
        while (left-- > 0) await sell()
      }
      await Promise.all(Array.from({ length: callers }, caller))
    },
    endpoint: (url: string) =>
      done(
        billing.webhooks.create(
          { ...fresh(), merchantId },
          { name: asText('Bench'), url: rightOf(HttpUrl.decode(url)), events: [asText('*')], description: null },
        ),
      ),
    /** How many deliveries are on the list. */
    pending: (): number => {
      const database = openDatabase(join(config.dataDir, 'quittance.db'), { durability: 'full', readOnly: true })
      const rows = Number(database.prepare('SELECT count(*) AS rows FROM webhook_deliveries').get()?.rows)
      database.close()
      return rows
    },
    close: platform.close,
  }
}

export type Seen = Readonly<Record<string, { readonly count: number; readonly lastAt: number }>>

/** A receiver in a process of its own. */
export const startReceiver = async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./webhook-receiver.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(createInterface(child.stdout), 'line')
  return {
    url: String(url),
    seen: async (): Promise<Seen> => (await fetch(`${url}/seen`)).json() as Promise<Seen>,
    stop: () => child.kill(),
  }
}
