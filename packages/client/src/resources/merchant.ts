import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import { type ChangedMerchant, Merchant } from '../wire/index.ts'

/** Who the merchant is, as customers see it in the environment of the key. */
export const merchantOf = ({ ask }: Connection) => ({
  retrieve: (options?: CallOptions): Promise<Merchant> =>
    ask({ method: 'GET', path: ['merchant'], answer: data(Merchant) }, options),
  update: (body: RequestBody<typeof ChangedMerchant>, options?: CommandOptions): Promise<Merchant> =>
    ask({ method: 'PUT', path: ['merchant'], body, answer: data(Merchant), isCommand: true }, options),
})
