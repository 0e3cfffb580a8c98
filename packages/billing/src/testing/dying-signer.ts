import { TransactionHash, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import type { Vault } from '../stores/vault/port.ts'
import { sqliteVault } from '../stores/vault/sqlite-vault.ts'
import { madeSigner } from '../stores/vault/vault-signer.ts'
import { done } from './outcomes.ts'
import { masterKey } from './stores.ts'

/** Runs as its own process: asks for a signature, and dies when the key is read. */
const [, , path = '', hash = ''] = process.argv
const vault = sqliteVault(openDatabase(path, { durability: 'full', secureDelete: true }), masterKey, true)
const dying: Vault = {
  ...vault,
  sign: (request) => {
    process.kill(process.pid, 'SIGKILL')
    return vault.sign(request)
  },
}
const signer = await done(() => madeSigner(dying, { now: () => unixMs(1_000) }, 'one', 'a worker'))
const transactionHash = decoded(TransactionHash, hash)
await signer.sign(Buffer.from(hash, 'hex'), { _tag: 'transaction', transactionHash })()
process.stdout.write('signed')
