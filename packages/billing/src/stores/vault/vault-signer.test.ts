import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TransactionHash, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { isMessageSignedBy, localSigner, signMessage } from '@quittance/ledger'
import { done, present, refused } from '../../testing/outcomes.ts'
import { temporaryFolder } from '../../testing/platform.ts'
import { masterKey } from '../../testing/stores.ts'
import type { SigningRequest } from '../signing/signer.ts'
import { sqliteVault } from './sqlite-vault.ts'
import { madeSigner, settlementKey } from './vault-signer.ts'

const hash = 'ab'.repeat(32)
const transaction = { _tag: 'transaction', transactionHash: decoded(TransactionHash, hash) } as const

describe('a key in the vault', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.remove())
  const opened = () => {
    const database = openDatabase(join(folder.path, 'vault.db'), { durability: 'full', secureDelete: true })
    return { database, vault: sqliteVault(database, masterKey, true) }
  }
  const clock = { now: () => unixMs(2_000) }

  it('signs like its seed, and records the time, key, purpose and actor of every use', async () => {
    const { database, vault } = opened()
    const one = await done(() => madeSigner(vault, clock, settlementKey('testnet', 'mer_1'), 'a worker'))
    const other = await done(() => madeSigner(vault, clock, settlementKey('mainnet', 'mer_1'), 'operator'))
    const bytes = Buffer.from(hash, 'hex')
    const direct = await vault.carriage.withSeed(settlementKey('testnet', 'mer_1'), localSigner)
    expect(await one.sign(bytes, transaction)()).toEqual(await direct.sign(bytes, transaction)())
    const signature = await done(signMessage('hello', other))
    expect(isMessageSignedBy(other.publicKey, 'hello', signature)).toBe(true)

    const ofMessage = createHash('sha256')
      .update(createHash('sha256').update('Stellar Signed Message:\nhello').digest())
      .digest('hex')
    expect(await Promise.all([one, other].map(({ publicKey }) => vault.signings.of(publicKey)))).toEqual([
      [
        {
          at: 2_000,
          key: 'settlement/testnet/mer_1',
          account: one.publicKey,
          purpose: 'transaction',
          digest: hash,
          actor: 'a worker',
        },
      ],
      [
        {
          at: 2_000,
          key: 'settlement/mainnet/mer_1',
          account: other.publicKey,
          purpose: 'message',
          digest: ofMessage,
          actor: 'operator',
        },
      ],
    ])
    database.close()
  })

  it('signs nothing when the use cannot be recorded first', async () => {
    const { database, vault } = opened()
    let uses = 0
    const counting = {
      ...vault,
      sign: (request: SigningRequest) => {
        uses++
        return vault.sign(request)
      },
      signings: {
        ...vault.signings,
        add: () => Promise.reject(new Error('the disk is full')),
      },
    }
    const signer = await done(() => madeSigner(counting, clock, 'one', 'a worker'))
    expect(await refused(signer.sign(Buffer.from(hash, 'hex'), transaction))).toEqual({
      _tag: 'SignerUnavailable',
      cause: 'Error: the disk is full',
    })
    expect(uses).toBe(0)
    database.close()
  })

  it('leaves a record of a use that a killed process did not get to', async () => {
    const script = fileURLToPath(new URL('../../testing/dying-signer.ts', import.meta.url))
    const died = spawnSync(process.execPath, ['--no-warnings', script, join(folder.path, 'vault.db'), hash])
    expect([died.signal, String(died.stdout), String(died.stderr)]).toEqual(['SIGKILL', '', ''])
    const { database, vault } = opened()
    const publicKey = present(await vault.publicKey('one'))
    expect(await vault.signings.of(publicKey)).toEqual([
      { at: 1_000, key: 'one', account: publicKey, purpose: 'transaction', digest: hash, actor: 'a worker' },
    ])
    database.close()
  })

  it('is the same for every process, and different in each environment', async () => {
    const [first, second] = [opened(), opened()]
    const keyOf = ({ vault }: typeof first, environment: 'testnet' | 'mainnet') =>
      done(vault.createKey(settlementKey(environment, 'mer_1')))
    expect(await keyOf(first, 'testnet')).toBe(await keyOf(second, 'testnet'))
    expect(await keyOf(first, 'mainnet')).not.toBe(await keyOf(first, 'testnet'))
    for (const { database } of [first, second]) database.close()
  })
})
