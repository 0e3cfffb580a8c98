import { data } from '../answer.ts'
import type { CallOptions, Connection } from '../connection.ts'
import { Settlement } from '../wire/index.ts'

/** The account that the merchant is paid to, in the environment of the key. */
export const settlementOf = ({ ask }: Connection) => ({
  retrieve: (options?: CallOptions): Promise<Settlement> =>
    ask({ method: 'GET', path: ['settlement'], answer: data(Settlement) }, options),
})
