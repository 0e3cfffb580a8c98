import { data } from '../answer.ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import type { Sent } from '../sent.ts'
import { type ChangedSettlement, Settlement } from '../wire/index.ts'

/** The account that the merchant is paid to, in the environment of the key. */
export const settlementOf = ({ ask }: Connection) => ({
  retrieve: (options?: CallOptions): Promise<Settlement> =>
    ask({ method: 'GET', path: ['settlement'], answer: data(Settlement) }, options),
  /** Changes what the merchant accepts. */
  update: (body: Sent<typeof ChangedSettlement>, options?: CommandOptions): Promise<Settlement> =>
    ask({ method: 'PUT', path: ['settlement'], body, answer: data(Settlement), isCommand: true }, options),
})
