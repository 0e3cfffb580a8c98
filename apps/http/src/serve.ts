import { type Config, type ConfigProblem, openPlatform, type Platform, runWorkers } from '@quittance/host'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { announceSandbox } from './announce-sandbox.ts'
import { createApp } from './app.ts'
import type { Work } from './routes/sandbox.ts'

export type Served = { readonly url: string; readonly close: () => Promise<void> }

/** Opens the platform, serves it over HTTP, and works off what is due, until closed. */
export const serve = async (config: Config): Promise<E.Either<ReadonlyArray<ConfigProblem>, Served>> => {
  let server: FastifyInstance | null = null
  const opened = await openPlatform(config, (halted) =>
    server?.log.error({ halted }, 'ALARM: the ledger cannot be followed any further'),
  )
  if (E.isLeft(opened)) return opened
  const platform = opened.right
  const { billing, sandbox } = platform
  server = await createApp(billing, {
    logLevel: config.logLevel,
    payerRateLimit: config.payerRateLimit,
    sandbox:
      sandbox === null
        ? null
        : {
            sandbox: sandbox.sandbox,
            network: {
              rpcUrl: sandbox.rpcUrl,
              friendbotUrl: sandbox.friendbotUrl,
              networkPassphrase: sandbox.sandbox.networkPassphrase,
            },
            work: workOf(platform),
          },
  })
  await server.listen({ port: config.port, host: config.host })
  const url = addressOf(server, config.host)
  platform.setPublicUrl(url)
  if (sandbox?.isOwn) sandbox.sandbox.start()

  const stop = new AbortController()
  const working = runWorkers(platform.workers, server.log, stop.signal)
  if (sandbox !== null) await announceSandbox(platform, sandbox, url)
  const listening = server
  return E.right({
    url,
    close: async () => {
      stop.abort()
      await Promise.all([listening.close(), working])
      await platform.close()
    },
  })
}

/** A step that is held up ends the settling: what is due then stays due, and the clock goes on without it. */
const workOf = ({ workers }: Platform): Work => ({
  settle: async () => {
    for (const worker of workers) await worker.step()
  },
  nextDue: async () => {
    const dues = workers.map((worker) => worker.nextDue()).filter((due) => due !== null)
    return dues.length === 0 ? null : Math.min(...dues)
  },
})

const addressOf = (server: FastifyInstance, host: string): string => {
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
