import type { TransactionHash } from '@quittance/domain'
import type { LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { type CommandError, refused } from '../command-error.ts'
import { environmentOf, environmentOption } from '../scope.ts'
import { secondsToWait, waitOption } from './account.ts'
import { readTransactions } from './recovery-files.ts'

export const recoverySend: Command = {
  name: 'recovery send',
  summary: 'Sends what the recovery key has signed to the network, without the service.',
  explanation: `Sends the signed transactions itself, one after the other, and waits for the closed ledger that holds each. For the time
while the service sends nothing: a thief who signs with the stolen key makes its log suspect (\`rolled_back\`) again and again. Needs
the node's address, and no data directory. Repeated, it sends the same transactions, which a ledger takes once.`,
  options: [
    environmentOption,
    mandatoryOption('--transaction <file>', 'The file of `quittance recovery sign`.'),
    waitOption,
  ],
  needsSoundLog: false,
  example: {
    words: '--environment mainnet --transaction signed.json',
    prints: 'GACCOUNT… is signed for by GNEWKEY… since ledger 51355110',
    json: '[{"account":"G…","to":"G…","transaction_hash":"…","ledger":51355110}]',
  },
  run: async (line, installation) => {
    const wait = secondsToWait(line)
    if (E.isLeft(wait)) return wait
    const signed = readTransactions(line.required('transaction'))
    if (E.isLeft(signed)) return signed
    const ledger = await installation.ledgerOf(environmentOf(line))
    if (E.isLeft(ledger)) return ledger
    const { readOfflineRotation } = await import('@quittance/ledger')
    const until = Date.now() + wait.right * 1_000
    const sent: Array<{ account: string; to: string; transaction_hash: string; ledger: number }> = []
    for (const { transaction } of signed.right) {
      const read = readOfflineRotation(transaction, ledger.right.networkPassphrase)
      if (read === null || !read.isSigned)
        return E.left(
          refused('not_signed', 'This is no signed transaction of `quittance recovery prepare` for this network.'),
        )
      const { account, to, transactionHash } = read
      const held = await heldBy(ledger.right, transaction, transactionHash, until)
      if (E.isLeft(held)) return held
      sent.push({ account, to, transaction_hash: transactionHash, ledger: held.right })
    }
    const text = sent
      .map((each) => `${each.account} is signed for by ${each.to} since ledger ${each.ledger}`)
      .join('\n')
    return E.right({ status: 0, json: sent, text })
  },
}

/** Sends a transaction until a ledger holds it; answers that ledger. */
const heldBy = async (
  gateway: LedgerGateway,
  envelopeXdr: string,
  hash: TransactionHash,
  until: number,
): Promise<E.Either<CommandError, number>> => {
  for (;;) {
    const found = await gateway.lookUp(hash)()
    if (E.isRight(found) && found.right._tag === 'Succeeded') return E.right(found.right.ledger)
    if (E.isRight(found) && found.right._tag === 'Failed')
      return E.left(
        refused('failed', `It failed in ledger ${found.right.ledger}: ${found.right.operationCodes.join(', ')}.`),
      )
    const submitted = await gateway.submit(envelopeXdr)()
    if (E.isLeft(submitted) && submitted.left._tag === 'Refused')
      return E.left(refused('refused', `The network refuses it: ${submitted.left.code}.`))
    if (Date.now() >= until)
      return E.left(
        refused('no_ledger', 'No ledger holds it yet: run the command again. It is sent once, whatever happens.'),
      )
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
