import type { Channel } from '../channel/index.ts'
import type { Behind } from './behind.ts'

export const behindChannel: Behind<typeof Channel> = (_, { type, data }) => {
  switch (type) {
    case 'SequenceTaken':
      return [{ type: 'TakeSequence', ...data }]
    case 'SequenceFreed':
      return [{ type: 'FreeSequence', ...data }]
    case 'SequenceUsed':
      return [{ type: 'UseSequence', ...data }]
  }
}
