import type { Platform } from '@quittance/host'
import { createApp } from '../app.ts'
import { createServer } from '../wire/server.ts'

const nothingDue = { forAdvance: () => ({ settle: async () => {}, nextDue: async () => null }) }

const noMails = { of: () => [], all: () => [] }

/** The routes over a platform, on a silent server that does not listen yet, without background work. */
export const quietApp = async (
  { billing, catchUp, readiness }: Pick<Platform, 'billing' | 'catchUp' | 'readiness'>,
  sandbox: Platform['sandbox'] = null,
) => {
  const server = createServer('silent')
  const options = {
    publicUrl: () => 'http://127.0.0.1',
    payerRateLimit: 100_000,
    keyRateLimit: null,
    catchUp,
    readiness,
    sandbox,
    explorers: { testnet: null, mainnet: null },
    walletConnect: null,
    inbox: noMails,
    work: nothingDue,
  }
  return { server, routes: await createApp(server, billing, options) }
}
