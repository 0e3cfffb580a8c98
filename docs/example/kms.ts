/**
 * The billing core with keys that a KMS holds: no seed of a merchant is in this process, nor in the vault. `kms` stands for the
 * client of yours: replace the two calls.
 *
 *     node docs/example/kms.ts <directory>
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { masterKeyFile, type RemoteKeys, remoteSigner, sqliteVault } from '@quittance/billing'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { kms } from './stand-in-kms.ts'

const [, , directory = 'data-kms'] = process.argv
mkdirSync(directory, { recursive: true })

const keys: RemoteKeys = {
  createKey: (label) => TE.tryCatch(() => kms.createKey(label), String),
  sign: (label, bytes) => TE.tryCatch(() => kms.sign(label, bytes), String),
}
// Every label begins with this: two installations never share a key.
const signer = remoteSigner(keys, 'my-shop')

const vaultFile = openDatabase(join(directory, 'vault.db'), { durability: 'full', secureDelete: true })
const masterKey = masterKeyFile(join(directory, 'master.key'))
if (E.isLeft(masterKey)) throw new Error('the master key cannot be read')
// In earnest, `mayBegin` says whether the log is empty, and there is a list of erased customers (`erasedSubjectsFile`).
const vault = sqliteVault(vaultFile, masterKey.right, true, undefined, signer)
// embedded(store, { vault, … }) is as in embedded.ts from here on.
const made = await vault.createKey('settlement/testnet/mer_example')()
const again = await vault.createKey('settlement/testnet/mer_example')()
console.log('made  ', E.isRight(made) && E.isRight(again) && made.right === again.right)
console.log('known ', await vault.keysNamed(''))
console.log('seeds ', vaultFile.prepare("SELECT count(*) AS n FROM vault WHERE name LIKE 'secret/%'").get()?.n)
vaultFile.close()
kms.close()
