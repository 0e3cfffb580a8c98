import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { usageError } from '../command-error.ts'
import { environmentOption, inEnvironment } from '../scope.ts'
import { feeAccountJson, feeAccountTable } from './fee-accounts.ts'

const mostChannels = 100

const isCount = (text: string): boolean => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= mostChannels

export const channelCreate: Command = {
  name: 'channel create',
  summary: 'Creates the accounts that send money in parallel.',
  explanation: `An account can send one transaction per ledger. Channel accounts let as many transactions leave at once as there are
channels; without any, each merchant's own account sends them. This creates keys until the count is reached, and lists
the accounts. Fund them with lumens, which pay the fees; an account that is not on the ledger is not used.
Run it again to see the balances: it creates nothing more.`,
  options: [
    environmentOption,
    mandatoryOption('--count <count>', `The number of channels to have, at most ${mostChannels}.`),
  ],
  needsSoundLog: true,
  example: {
    words: '--environment mainnet --count 2',
    prints: `ACCOUNT                                                   LUMENS
GCHANNEL…                                                 25
GCHANNEL…                                                 not on the ledger`,
    json: '[{"account":"G…","balance":"25"},{"account":"G…","balance":null}]',
  },
  run: async (line, installation) => {
    const count = line.required('count')
    if (!isCount(count)) return E.left(usageError(`--count takes a number from 1 to ${mostChannels}.`))
    return inEnvironment(line, installation, async ({ channels }, { environment }) => {
      const made = await channels.create(environment, Number(count))()
      if (E.isLeft(made)) return made
      const json = made.right.map(feeAccountJson)
      return E.right({ status: 0, json, text: feeAccountTable(json) })
    })
  },
}
