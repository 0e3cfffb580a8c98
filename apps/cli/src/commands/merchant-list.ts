import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { table } from '../printing.ts'

export const merchantList: Command = {
  name: 'merchant list',
  summary: 'Lists the merchants.',
  explanation: 'Lists the merchants of the data directory: id and name.',
  options: [],
  needsSoundLog: false,
  example: {
    words: '',
    prints: 'mer_0350octnLi7Ud5KSrjAyiq  Ada & Co',
    json: '[{"merchant_id":"mer_0350octnLi7Ud5KSrjAyiq","name":"Ada & Co"}]',
  },
  run: (_, installation) =>
    installation.withBilling(async ({ merchants }) => {
      const found = await merchants.names()
      return E.right({
        status: 0,
        json: found.map(({ merchantId, name }) => ({ merchant_id: merchantId, name })),
        text:
          found.length === 0
            ? 'There is no merchant yet. Make one: quittance merchant create --name <name>'
            : table(found.map(({ merchantId, name }) => [merchantId, name])),
      })
    }),
}
