import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { printable } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

export const merchantPayout: Command = {
  name: 'merchant payout',
  summary: 'Withdraws money to a registered destination, or cancels a payout.',
  explanation: `Requests a payout as POST /payouts does; a worker sends it. The destination must be registered
(\`quittance merchant destination\`). --cancel cancels a payout that is not on its way to the ledger.`,
  options: [
    merchantOption,
    environmentOption,
    option('--asset <asset>', 'native, or CODE:ISSUER.'),
    option('--amount <amount>', 'In units of the asset, or all.'),
    option('--destination <destination>', 'Its id (pdst_…) or its address.'),
    option('--cancel <payout_id>', 'Cancels this payout instead.'),
  ],
  needsSoundLog: true,
  example: {
    words: '--asset native --amount all --destination pdst_0350octnLi7Ud5KSrjAyiq',
    prints: 'po_… is pending: 25 XLM to G…',
    json: '{"id":"po_…","object":"payout","status":"pending","asset_id":"native","amount":"25 XLM","destination":"G…",…}',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async ({ payouts }, context) => {
      const canceled = line.option('cancel')
      if (canceled !== null) {
        const payout = await payouts.cancel(context, canceled)()
        return E.isLeft(payout) ? payout : E.right(resultOf(payout.right))
      }
      const [assetId, amount, destination] = [line.option('asset'), line.option('amount'), line.option('destination')]
      if (assetId === null || amount === null || destination === null)
        return E.left(usageError('Give --asset, --amount and --destination, or --cancel.'))
      const read = payouts.read({ assetId, amount, memo: null, memoType: null })
      if (E.isLeft(read)) return E.left(usageError('--asset or --amount is not valid.'))
      const wanted = { ...read.right, destination, mayChangeMemo: false, metadata: {} }
      const payout = await payouts.request(context, wanted)()
      return E.isLeft(payout) ? payout : E.right(resultOf(payout.right))
    }),
}

type Payout = Readonly<Record<'id' | 'status' | 'amount' | 'destination', string>>

const resultOf = (payout: Payout): CommandResult => ({
  status: 0,
  json: payout,
  text: printable(`${payout.id} is ${payout.status}: ${payout.amount} to ${payout.destination}`),
})
