import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asText } from '@quittance/domain'
import { rowsOf } from '@quittance/event-store'
import {
  leafHash,
  leafOf,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  printCheckpoint,
  printNote,
  printVerifierKey,
  signNote,
  verifyConsistency,
  verifyInclusion,
  verifyNote,
} from '@quittance/transparency'
import { memoryTree } from '@quittance/transparency/testing/memory-tree'
import { logKey } from '../../stores/signing/log-key.ts'
import { runBeside } from '../../testing/kept.ts'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { openShop } from '../../testing/shop.ts'

let network: TestNetwork
let folder: ReturnType<typeof temporaryFolder>
let platforms: Array<TestPlatform>
const open = async (): Promise<TestPlatform> => {
  const platform = await openPlatform(network, folder.path)
  platforms.push(platform)
  return platform
}
beforeEach(async () => {
  network = await startNetwork()
  folder = temporaryFolder()
  platforms = []
})
afterEach(async () => {
  for (const platform of platforms) await platform.close()
  await network.close()
  folder.remove()
})

const leavesOf = async ({ log }: TestPlatform): Promise<ReadonlyArray<Uint8Array>> => {
  const leaves: Array<Uint8Array> = []
  for await (const { metadata, recordedAt } of log.readAll(0n)) leaves.push(leafOf({ hash: metadata.hash, recordedAt }))
  return leaves
}
/** The tree of the log by its definition. */
const treeOf = async (platform: TestPlatform) => memoryTree(await leavesOf(platform))

const checkpointIn = (note: string) => right(parseCheckpoint(right(parseNote(note)).text))

describe('the tree over the log', () => {
  it('has every event of the log as a leaf, in the order of the log', async () => {
    const platform = await open()
    const { transparency } = platform.billing
    expect(await done(transparency.feed)).toEqual({ size: 0n, root: (await treeOf(platform)).headAt(0).root })
    for (let round = 0; round < 3; round += 1) {
      await openShop(platform)
      const leaves = await leavesOf(platform)
      const head = await done(transparency.feed)
      expect(head).toEqual(memoryTree(leaves).headAt(leaves.length))
      let index = 0n
      for await (const { position, metadata, recordedAt } of platform.log.readAll(0n)) {
        expect(await transparency.indexOf(position)()).toBe(index)
        const proof = await done(transparency.proveInclusion(index, head.size))
        const leaf = leafHash(leafOf({ hash: metadata.hash, recordedAt }))
        expect(verifyInclusion(index, leaf, head, proof)).toBe(true)
        index += 1n
      }
    }
  })

  it('grows by one event after another, whichever of two processes feeds it', async () => {
    const [one, other] = [await open(), await open()]
    for (let round = 0; round < 4; round += 1) {
      await openShop(one)
      const heads = await Promise.all([one, other].map(({ billing }) => done(billing.transparency.feed)))
      const tree = await treeOf(one)
      expect(heads).toEqual(heads.map(({ size }) => tree.headAt(size)))
    }
  })

  it('is made again where the log does not hold its last leaf', async () => {
    const platform = await open()
    await openShop(platform)
    const head = await done(platform.billing.transparency.feed)
    await runBeside(folder.path, 'rows', rowsOf("UPDATE log_tree SET leaf = subtrees, before = '0'"))
    await openShop(platform)
    const again = await done(platform.billing.transparency.feed)
    expect(again).toEqual((await treeOf(platform)).headAt(again.size))
    expect(again.size).toBeGreaterThan(head.size)
  })
})

describe('checkpoints', () => {
  it('are signed by the key that the log names, and each continues the one before', async () => {
    const platform = await open()
    const { transparency } = platform.billing
    expect(await transparency.checkpoint()).toBeNull()
    await openShop(platform)
    const first = await done(transparency.sign)
    await openShop(platform)
    const second = await done(transparency.sign)
    expect(await transparency.checkpoint()).toBe(second)
    const [log] = await done(transparency.logs)
    const keys = present(log).vkeys.map((vkey) => right(parseVerifierKey(vkey)))
    const tree = await treeOf(platform)
    for (const note of [first, second]) {
      expect(right(verifyNote(right(parseNote(note)), keys))).toHaveLength(1)
      const { origin, size, root } = checkpointIn(note)
      expect({ origin, size, root }).toEqual({ origin: present(log).origin, ...tree.headAt(size) })
    }
    const [older, newer] = [checkpointIn(first), checkpointIn(second)]
    const proof = await done(transparency.proveConsistency(older.size, newer.size))
    expect(verifyConsistency(older, newer, proof)).toBe(true)
  })

  it('is the same while the log has no new events, in every process', async () => {
    const [one, other] = [await open(), await open()]
    await openShop(one)
    const note = await done(one.billing.transparency.sign)
    expect([await done(one.billing.transparency.sign), await done(other.billing.transparency.sign)]).toEqual([
      note,
      note,
    ])
    expect(await other.billing.transparency.checkpoint()).toBe(note)
  })

  it('are all kept outside the log, one a line', async () => {
    const platform = await open()
    const notes = []
    for (let round = 0; round < 3; round += 1) {
      await openShop(platform)
      notes.push(await done(platform.billing.transparency.sign))
    }
    const lines = readFileSync(join(folder.path, 'checkpoints.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
    expect(lines.map((line) => JSON.parse(line))).toEqual(notes.map((checkpoint) => ({ checkpoint })))
  })

  /** A checkpoint that the log's own key has signed, for a tree that is not that of this log. */
  const signedElsewhere = async ({ services, billing }: TestPlatform, size: bigint): Promise<string> => {
    const { origin } = present((await done(billing.transparency.logs))[0])
    const { key, sign } = await logKey(services.vault.carriage, 1, origin)
    const text = printCheckpoint({ origin, size, root: leafHash(Buffer.from('another history')) })
    return printNote({ text, signatures: [await done(signNote(key, sign, text))] })
  }

  it.each([
    ['more events than the log', 3n],
    ['as many events, and another history', 0n],
    ['fewer events, and another history', -1n],
  ])('none is signed where the file beside the log has one of %s', async (_, more) => {
    const platform = await open()
    const { transparency } = platform.billing
    await openShop(platform)
    const note = await done(transparency.sign)
    const { size } = checkpointIn(note)
    const other = await signedElsewhere(platform, size + more)
    await runBeside(folder.path, 'rows', rowsOf('DELETE FROM log_checkpoint'))
    writeFileSync(join(folder.path, 'checkpoints.jsonl'), `half a line\n${JSON.stringify({ checkpoint: other })}\n`)
    const refusal = { _tag: 'CheckpointNotContinued', kept: size + more }
    expect(await refused(transparency.sign)).toEqual({ ...refusal, size })
    await openShop(platform)
    expect(await refused(transparency.sign)).toMatchObject(refusal)
  })

  const ada = { by: asText('Ada'), reason: asText('the disk died') }
  const putBack = async (platform: TestPlatform, size: bigint): Promise<void> => {
    const checkpoint = await signedElsewhere(platform, size)
    writeFileSync(join(folder.path, 'checkpoints.jsonl'), `${JSON.stringify({ checkpoint })}\n`)
  }
  /** Who decided about the log, and why, as the log has it. */
  const decisions = async ({ log }: TestPlatform) => {
    const found = []
    for await (const { stream, type, data, metadata } of log.readAll(0n))
      if (stream.startsWith('log_transparency-')) found.push({ type, reason: Object(data).reason, by: metadata.actor })
    return found
  }
  const signersOf = (note: string, vkeys: ReadonlyArray<string>) =>
    right(
      verifyNote(
        right(parseNote(note)),
        vkeys.map((vkey) => right(parseVerifierKey(vkey))),
      ),
    ).map(({ key }) => printVerifierKey(key))

  it('go on under another name and key once a person lets the log begin again, as after an older copy', async () => {
    const platform = await open()
    const { transparency } = platform.billing
    await openShop(platform)
    const before = checkpointIn(await done(transparency.sign))
    await putBack(platform, before.size + 30n)
    expect(await refused(transparency.sign)).toMatchObject({ _tag: 'CheckpointNotContinued' })
    const note = await done(transparency.beginAgain(ada))
    const { origin, size, root } = checkpointIn(note)
    expect(origin).not.toBe(before.origin)
    expect({ size, root }).toEqual((await treeOf(platform)).headAt(size))
    expect([await transparency.checkpoint(), await done(transparency.sign)]).toEqual([note, note])
    const [old, own] = await done(transparency.logs)
    expect([present(old).origin, present(own).origin]).toEqual([before.origin, origin])
    expect(signersOf(note, present(own).vkeys)).toEqual(present(own).vkeys)
    expect(present(own).vkeys).not.toEqual(present(old).vkeys)
    await openShop(platform)
    expect(checkpointIn(await done(transparency.sign)).size).toBeGreaterThan(size)
    expect(await decisions(platform)).toEqual([
      { type: 'TransparencyLogBegun', reason: null, by: 'process' },
      { type: 'TransparencyLogBegun', reason: 'the disk died', by: 'Ada' },
    ])
  })

  it('do not begin again where the log continues them', async () => {
    const platform = await open()
    const { transparency } = platform.billing
    const { origin } = checkpointIn(await done(transparency.sign))
    await openShop(platform)
    expect(await refused(transparency.beginAgain(ada))).toEqual({ _tag: 'LogContinues', origin })
    expect(await done(transparency.logs)).toHaveLength(1)
  })

  it('have the signatures of both keys after one was rotated, the newest first', async () => {
    const platform = await open()
    const { transparency } = platform.billing
    const first = await done(transparency.sign)
    const note = await done(transparency.rotateKey(ada))
    const { vkeys } = present((await done(transparency.logs))[0])
    const [old, own] = vkeys
    expect({ old: signersOf(first, vkeys), now: signersOf(note, vkeys) }).toEqual({ old: [old], now: [own, old] })
    expect(checkpointIn(note).origin).toBe(checkpointIn(first).origin)
    expect((await decisions(platform)).slice(1)).toEqual([
      { type: 'TransparencyKeyRotated', reason: 'the disk died', by: 'Ada' },
    ])
  })

  it('get one new key at a time where two processes rotate at once', async () => {
    const [one, other] = [await open(), await open()]
    await done(one.billing.transparency.sign)
    for (const note of await Promise.all([one, other].map(({ billing }) => done(billing.transparency.rotateKey(ada)))))
      expect(right(parseNote(note)).signatures.length).toBeGreaterThan(1)
    const { vkeys } = present((await done(one.billing.transparency.logs))[0])
    expect(new Set(vkeys).size).toBe(vkeys.length)
    expect(signersOf(await done(other.billing.transparency.sign), vkeys)).toEqual(vkeys.toReversed())
  })

  it('continue what a lost key has signed, once another key is in its place', async () => {
    const platform = await open()
    const { transparency } = platform.billing
    const { size } = checkpointIn(await done(transparency.sign))
    await putBack(platform, size + 30n)
    await runBeside(folder.path, 'rows', rowsOf('DELETE FROM log_checkpoint'))
    await runBeside(folder.path, 'vault', rowsOf("DELETE FROM vault WHERE name = 'own/log-key/1'"))
    expect(await refused(transparency.rotateKey(ada))).toMatchObject({
      _tag: 'CheckpointNotContinued',
      kept: size + 30n,
    })
    writeFileSync(join(folder.path, 'checkpoints.jsonl'), '')
    const { vkeys } = present((await done(transparency.logs))[0])
    expect(signersOf(await done(transparency.sign), vkeys)).toEqual(vkeys.slice(1))
  })

  it('none is signed by another key than the log names, as after a vault was lost', async () => {
    const platform = await open()
    const { transparency } = platform.billing
    await done(transparency.sign)
    const { vkeys } = present((await done(transparency.logs))[0])
    await runBeside(folder.path, 'vault', rowsOf("DELETE FROM vault WHERE name = 'own/log-key/1'"))
    expect(await refused(transparency.sign)).toEqual({ _tag: 'LogKeyLacking', vkey: vkeys[0] })
  })
})
