import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption, option } from '../command.ts'
import { messageOf, refused, usageError } from '../command-error.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

const kinds = ['subscription', 'payment', 'customer'] as const

export const evidence: Command = {
  name: 'evidence',
  summary: 'Writes a file that proves what the log has recorded of a charge.',
  explanation: `For somebody who trusts nobody: the events that concern a payment, a subscription or a customer, each with a proof that the
log holds it under a signed checkpoint, and nothing of any other customer. \`quittance verify <file> --key <vkey>\` verifies it
offline, and docs/evidence/format.md says how any other program does. Sealed data stays sealed, so evidence about an erased
customer is possible too. Signs a checkpoint if the latest one does not cover all of it.`,
  options: [
    ...kinds.map((kind) => option(`--${kind} <${kind}_id>`, `The ${kind} that it is about.`)),
    mandatoryOption('--out <file>', 'Writes into this file, which must not exist.'),
    merchantOption,
    environmentOption,
  ],
  needsSoundLog: true,
  example: {
    words: '--payment pay_0350ocuGm5bGVg2XnNqJ1a --out evidence.json',
    prints: '/srv/evidence.json: evidence about the payment pay_0350ocuGm5bGVg2XnNqJ1a',
    json: '{"kind":"payment","id":"pay_0350ocuGm5bGVg2XnNqJ1a","file":"/srv/evidence.json"}',
  },
  run: async (line, installation) => {
    const [named, ...others] = kinds.flatMap((kind) => {
      const id = line.option(kind)
      return id === null ? [] : [{ kind, id }]
    })
    if (named === undefined || others.length > 0)
      return E.left(usageError('Say what it is about: one of --subscription, --payment and --customer.'))
    const file = resolve(line.required('out'))
    return forMerchant(line, installation, async (billing, scope) => {
      const text = await billing.evidence(scope, named.kind, named.id)()
      if (E.isLeft(text)) return text
      const written = E.tryCatch(() => writeFileSync(file, text.right, { flag: 'wx', mode: 0o600 }), messageOf)
      if (E.isLeft(written)) return E.left(refused('file_not_written', `${file} cannot be written (${written.left}).`))
      return E.right({
        status: 0,
        json: { ...named, file },
        text: `${file}: evidence about the ${named.kind} ${named.id}`,
      })
    })
  },
}
