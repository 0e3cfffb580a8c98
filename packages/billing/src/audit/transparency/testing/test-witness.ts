import {
  continueFrom,
  type NoteSignature,
  parseVerifierKey,
  printSignature,
  printSize,
  readSubmission,
  statusOf,
  type TreeHead,
} from '@quittance/transparency'
import { cosignedBy, type TestKey, testKey } from '@quittance/transparency/testing/test-key'
import * as E from 'fp-ts/lib/Either.js'
import { right } from '../../../testing/outcomes.ts'
import type { PostToWitness, Witness } from '../ask-witness.ts'

/** A witness in memory, which decides as the specification says. */
export type TestWitness = Witness & {
  /** The heads that it was asked to cosign, with the size that was said to be the one before. */
  readonly asked: Array<{ readonly oldSize: bigint; readonly size: bigint }>
  latest: TreeHead | null
  isGone: boolean
  readonly answer: (body: string) => Promise<{ readonly status: number; readonly text: string }>
}

export const testWitness = (name: string, seed: number, vkeys: () => ReadonlyArray<string>): TestWitness => {
  const signer: TestKey = testKey(name, 'cosignature/v1', seed)
  const witness: TestWitness = {
    url: `http://${name}`,
    key: signer.key,
    asked: [],
    latest: null,
    isGone: false,
    answer: async (body) => {
      if (witness.isGone) throw new Error('it does not answer')
      const keys = vkeys().map((vkey) => right(parseVerifierKey(vkey)))
      const submission = readSubmission(keys, body)
      if (E.isLeft(submission)) return { status: statusOf[submission.left._tag], text: '' }
      const { oldSize, checkpoint, text } = submission.right
      witness.asked.push({ oldSize, size: checkpoint.size })
      const continued = continueFrom(witness.latest, submission.right)
      if (E.isLeft(continued)) {
        const { left } = continued
        return { status: statusOf[left._tag], text: left._tag === 'OldSizeDiffers' ? printSize(left.latest) : '' }
      }
      witness.latest = continued.right
      const cosignature: NoteSignature = await cosignedBy(signer, text, 1_800_000_000n)
      return { status: 200, text: printSignature(cosignature) }
    },
  }
  return witness
}

/** Sends requests to witnesses in memory. */
export const toTestWitnesses =
  (witnesses: ReadonlyArray<TestWitness>): PostToWitness =>
  async (url, body) => {
    const witness = witnesses.find((each) => url === `${each.url}/add-checkpoint`)
    if (witness === undefined) throw new Error(`nobody is at ${url}`)
    return witness.answer(body)
  }
