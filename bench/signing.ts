import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sqliteVault, vaultSigner } from '@quittance/billing'
import { done } from '@quittance/billing/testing/outcomes'
import { unixMs } from '@quittance/domain'
import { openDatabase } from '@quittance/event-store/sqlite'
import { isMessageSignedBy, localSigner, type SigningKey, signMessage } from '@quittance/ledger'
import { Keypair } from '@stellar/stellar-sdk'
import { type Benchmark, median } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const rounds = 9
const perRound = 400

/** How often per second the work is done. */
const rate = async (work: (hash: Buffer) => unknown): Promise<number> => {
  const hashes = Array.from({ length: perRound }, () => randomBytes(32))
  const startedAt = performance.now()
  for (const hash of hashes) await work(hash)
  return perRound / ((performance.now() - startedAt) / 1_000)
}

type Compared = { readonly rates: ReadonlyArray<number>; readonly times: number }

/**
 * The median rate of each, and the median ratio of the second to the first. Rounds alternate and compare within
 * themselves, so that other load affects all alike.
 */
const compared = async (...works: ReadonlyArray<(hash: Buffer) => unknown>): Promise<Compared> => {
  const found: Array<ReadonlyArray<number>> = []
  for (let round = 0; round <= rounds; round++) {
    const rates: Array<number> = []
    for (const work of works) rates.push(await rate(work))
    if (round > 0) found.push(rates)
  }
  return {
    rates: works.map((_, index) => median(found.map((rates) => rates[index] ?? Number.NaN))),
    times: median(found.map(([first = Number.NaN, second = Number.NaN]) => second / first)),
  }
}

const signs =
  (signer: SigningKey) =>
  async (hash: Buffer): Promise<Uint8Array> =>
    await done(signer.sign(hash, { _tag: 'message' }))

/** Signatures by the SDK in JavaScript, by our local signer, and by a key in the vault. */
export const signing: Benchmark = () =>
  inTemporaryFolder(async (folder) => {
    const seed = randomBytes(32)
    const [pair, local] = [Keypair.fromRawEd25519Seed(seed), localSigner(seed)]
    const database = openDatabase(join(folder, 'vault.db'), { durability: 'full', secureDelete: true })
    const vault = sqliteVault(database, randomBytes(32), true)
    await done(vault.createKey('bench'))
    const kept = await vaultSigner(vault, { now: () => unixMs(Date.now()) }, 'bench', 'bench')
    if (kept === null) throw new Error('the key was not made')

    const hash = randomBytes(32)
    if (!Buffer.from(pair.sign(hash)).equals(await signs(local)(hash))) throw new Error('the signatures differ')
    const signed = await compared((each) => pair.sign(each), signs(local), signs(kept))

    const message = 'a message'
    const signature = await done(signMessage(message, local))
    const verified = await compared(
      () => pair.verifyMessage(message, signature),
      () => isMessageSignedBy(local.publicKey, message, signature),
    )
    database.close()
    const [sdk = 0, ours = 0, vaults = 0] = signed.rates
    const [sdkVerifies = 0, weVerify = 0] = verified.rates
    return {
      'SDK, signatures per second': sdk,
      'local signer, signatures per second': ours,
      'local signer, times the SDK': signed.times,
      'vault, each use recorded durably, per second': vaults,
      'SDK, verifications per second': sdkVerifies,
      'ours, verifications per second': weVerify,
      'our verification, times the SDK': verified.times,
    }
  })
