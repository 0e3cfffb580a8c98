import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isStoreFailure, openDatabase } from '@quittance/event-store/sqlite'
import { writeSandboxFacts } from '@quittance/host'
import { openSandbox } from '@quittance/sandbox'
import { rpcHandler } from '@quittance/sandbox/testing/internals'
import * as E from 'fp-ts/lib/Either.js'
import type { Side } from './deaths.ts'

const usuallyBetweenLedgersMs = 250

/** Called before and after each submission; answers whether the sender was killed. */
export type Watch = (sender: string, side: Side) => boolean

/**
 * The sandbox's network of a data directory, in this process, so that it outlives the services. Closes several ledgers
 * a second, unless another interval is given. A service is known by its path; nothing arrives from one that was killed before it could send.
 */
export const openLastingNetwork = async (
  dataDir: string,
  watch: Watch,
  betweenLedgersMs: number = usuallyBetweenLedgersMs,
) => {
  let aheadMs = 0
  const database = openDatabase(join(dataDir, 'sandbox.db'), { durability: 'relaxedLosesCommitsOnPowerLoss' })
  const sandbox = openSandbox({ database, wallClock: () => Date.now() + aheadMs })
  const asSeenBy = (sender: string) => ({
    ...sandbox,
    submit: (envelope: string): ReturnType<typeof sandbox.submit> => {
      if (watch(sender, 'before')) return E.right({ status: 'TRY_AGAIN_LATER', hash: '' })
      const submitted = sandbox.submit(envelope)
      watch(sender, 'after')
      return submitted
    },
  })
  const heldBack = new Map<string, Promise<void>>()
  const server = createServer(async (request, response) => {
    const sender = request.url?.split('/')[1] ?? ''
    await heldBack.get(sender)
    await rpcHandler(asSeenBy(sender))(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the network has no port')
  const url = `http://127.0.0.1:${address.port}`

  let isOver = false
  const closing = (async () => {
    while (!isOver) {
      try {
        sandbox.close()
      } catch (cause) {
        // A service holds the lock of the file: the next ledger comes later.
        if (!isStoreFailure(cause)) throw cause
      }
      await pause(betweenLedgersMs)
    }
  })()
  return {
    sandbox,
    /** The network as an account's owner uses it. */
    facts: {
      rpc_url: `${url}/wallet`,
      friendbot_url: `${url}/friendbot`,
      network_passphrase: sandbox.networkPassphrase,
    },
    /** Makes the next service use this network under its name, instead of its own node. */
    announce: (to: string): void =>
      writeSandboxFacts(join(dataDir, 'sandbox.json'), {
        base_url: url,
        api_key: '',
        merchant_id: '',
        dashboard_url: null,
        rpc_url: `${url}/${to}`,
        friendbot_url: `${url}/friendbot`,
        network_passphrase: sandbox.networkPassphrase,
        assets: [],
        mandate_contract: sandbox.mandateContract,
        pid: process.pid,
      }),
    /** Answers nothing to a service until it is released. */
    holdBack: (sender: string): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      heldBack.set(sender, promise)
      return () => {
        heldBack.delete(sender)
        resolve()
      }
    },
    /** Moves the clock of all, from the next ledger on. */
    skip: (ms: number): void => {
      aheadMs += ms
    },
    /** As `skip`, up to that ledger. What was built for the one before it may be too late. */
    skipTo: async (ms: number): Promise<void> => {
      const { ledger } = sandbox.clock()
      aheadMs += ms
      while (sandbox.clock().ledger === ledger) await pause(betweenLedgersMs)
    },
    close: async (): Promise<void> => {
      isOver = true
      await closing
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      database.close()
    },
  }
}

export type LastingNetwork = Awaited<ReturnType<typeof openLastingNetwork>>
