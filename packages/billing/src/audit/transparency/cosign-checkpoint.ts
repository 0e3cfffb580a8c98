import { keyIdOf, parseCheckpoint, parseNote, printNote, type SignedNote } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import { askWitness, type PostToWitness, type Witness, type WitnessAnswer } from './ask-witness.ts'

type CosignServices = Pick<Services, 'logTree' | 'latestCheckpoint' | 'keptCheckpoints'>

/** What a witness said about the newest checkpoint. `name` is that of its key. */
export type WitnessStanding = { readonly name: string; readonly answer: WitnessAnswer }

const hasCosigned = ({ signatures }: SignedNote, { key }: Witness): boolean =>
  signatures.some(({ keyName, keyId }) => keyName === key.name && keyId === keyIdOf(key))

/** Asks witnesses for the cosignatures that a checkpoint lacks, and keeps it with those that it gets. */
export interface CosignCheckpoint {
  /** Answers what each witness has said. A checkpoint that is replaced meanwhile stays as it is. */
  readonly ask: (note: string) => Promise<ReadonlyArray<WitnessStanding>>
}

export const cosignCheckpoint = (
  { logTree, latestCheckpoint, keptCheckpoints }: CosignServices,
  witnesses: ReadonlyArray<Witness>,
  post: PostToWitness,
): CosignCheckpoint => {
  /** How many events the checkpoint had that a witness last cosigned. A witness is asked where this process does not know. */
  const lastSizes = new Map<string, bigint>()

  const keep = async (before: string, after: SignedNote): Promise<void> => {
    const note = printNote(after)
    if (await latestCheckpoint.replace(before, note)) keptCheckpoints?.add(note)
  }
  return {
    ask: async (note) => {
      const parsed = parseNote(note)
      if (E.isLeft(parsed)) return []
      const checkpoint = parsed.right
      const content = parseCheckpoint(checkpoint.text)
      if (E.isLeft(content)) return []
      const { size } = content.right
      const asked = { post, readTiles: logTree.readTiles, checkpoint, size }
      const standings = await Promise.all(
        witnesses.map(async (witness): Promise<WitnessStanding> => {
          const { name } = witness.key
          if (hasCosigned(checkpoint, witness)) return { name, answer: { _tag: 'Cosigned', signatures: [] } }
          const answer = await askWitness(asked, witness, lastSizes.get(name) ?? 0n)
          if (answer._tag === 'Cosigned') lastSizes.set(name, size)
          return { name, answer }
        }),
      )
      const added = standings.flatMap(({ answer }) => (answer._tag === 'Cosigned' ? answer.signatures : []))
      if (added.length > 0)
        await keep(note, { text: checkpoint.text, signatures: [...checkpoint.signatures, ...added] })
      return standings
    },
  }
}
