import { TransactionHash, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import type { Vault } from '../stores/vault/port.ts'
import { sqliteVault } from '../stores/vault/sqlite-vault.ts'
import { vaultSigner } from '../stores/vault/vault-signer.ts'
import { masterKey } from './stores.ts'

/** Runs as its own process: asks for a signature, and dies when the key is read. */
const [, , path = '', hash = ''] = process.argv
const vault = sqliteVault(openDatabase(path, { durability: 'full', secureDelete: true }), masterKey, true)
let isReady = false
const dying: Vault = {
  ...vault,
  withSeed: (key, use) => {
    if (isReady) process.kill(process.pid, 'SIGKILL')
    return vault.withSeed(key, use)
  },
}
const signer = vaultSigner(dying, { now: () => unixMs(1_000) }, 'one', 'a worker')
isReady = true
const transactionHash = decoded(TransactionHash, hash)
await signer.sign(Buffer.from(hash, 'hex'), { _tag: 'transaction', transactionHash })()
process.stdout.write('signed')
