import { openDatabase } from '@quittance/event-store/sqlite'
import { listen, openSandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import { type Wallet, walletOn } from './wallet.ts'

export const privatePassphrase = 'A Private Network ; November 2026'

/** A private network behind RPC. Accounts of its own people have lumens from its faucet, of which the service knows nothing. */
export const startPrivateNetwork = async (passphrase = privatePassphrase) => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const sandbox = openSandbox({ database, wallClock: Date.now, passphrase })
  const node = await listen(sandbox)
  sandbox.start()
  const facts = { rpc_url: node.url, friendbot_url: `${node.url}/friendbot`, network_passphrase: passphrase }
  const wallet = async (): Promise<Wallet> => {
    const made = walletOn(facts)
    await made.friendbot()
    return made
  }
  /** Lets time pass on the ledger. */
  const pass = async (seconds: number): Promise<void> => {
    const advanced = await sandbox.advance({ seconds, nextDue: async () => null, settle: async () => {} })()
    if (E.isLeft(advanced)) throw new Error(advanced.left._tag)
  }
  const close = async (): Promise<void> => {
    sandbox.stop()
    await node.close()
    database.close()
  }
  return { url: node.url, wallet, pass, close }
}
