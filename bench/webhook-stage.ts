import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { done, right } from '@quittance/billing/testing/outcomes'
import { asText, HttpUrl, mostEndpoints } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { openBenchPlatform, sampleProduct } from './platform.ts'

const callers = 64

/** A platform over files, whose deliverer runs on command, with as many merchants as its endpoints need. */
export const openWebhookStage = async (folder: string) => {
  const dataDir = join(folder, 'data')
  const { billing, deliverer, merchantId, anotherMerchant, newContext, sandbox, close } =
    await openBenchPlatform(dataDir)
  const [merchants, endpoints] = [[merchantId], { made: 0 }]
  const sell = (whose = merchantId) =>
    done(billing.products.create({ ...newContext(), merchantId: whose }, sampleProduct))
  /** A merchant with room for one more endpoint. */
  const nextMerchant = async () => {
    if (endpoints.made > 0 && endpoints.made % mostEndpoints === 0) merchants.push(await anotherMerchant())
    endpoints.made += 1
    return merchants.at(-1) ?? merchantId
  }
  const rename = (id: string, name: string) => done(billing.products.update(newContext(), id, { name: asText(name) }))
  return {
    deliverer,
    rename,
    /** The ids of all public events. */
    published: async (): Promise<ReadonlySet<string>> => {
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
        sandbox?.sandbox.advance({ seconds, nextDue: async () => null, settle: async () => undefined }) ??
          TE.right(null),
      ),
    sell,
    /** Makes so many events of each merchant. */
    sellAll: async (events: number): Promise<void> => {
      let left = events * merchants.length
      const caller = async (): Promise<void> => {
        while (left-- > 0) await sell(merchants[left % merchants.length])
      }
      await Promise.all(Array.from({ length: callers }, caller))
    },
    endpoint: async (url: string) =>
      done(
        billing.webhooks.create(
          { ...newContext(), merchantId: await nextMerchant() },
          {
            name: asText('Bench'),
            url: right(HttpUrl.decode(url)),
            events: [asText('*')],
            description: null,
          },
        ),
      ),
    /** The number of listed deliveries. */
    pending: (): number => {
      const database = openDatabase(join(dataDir, 'quittance.db'), { durability: 'full', readOnly: true })
      const rows = Number(database.prepare('SELECT count(*) AS rows FROM webhook_deliveries').get()?.rows)
      database.close()
      return rows
    },
    close,
  }
}

export type Seen = Readonly<Record<string, { readonly count: number; readonly lastAt: number }>>

/** A receiver in its own process. */
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
