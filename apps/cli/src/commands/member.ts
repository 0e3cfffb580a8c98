import { MemberRole } from '@quittance/domain'
import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { usageError } from '../command-error.ts'
import { printable, table } from '../printing.ts'
import { merchantOf, merchantOption } from '../scope.ts'

const roles = Object.keys(MemberRole.keys)

export const memberInvite: Command = {
  name: 'member invite',
  summary: "Invites a person to a merchant's team.",
  explanation: `Prints a link that makes whoever opens it a member, once, within seven days: send it to that person alone. This is how the
first owner of a team comes in. Members who are invited here are persons of their own where a second one has to approve.`,
  options: [
    mandatoryOption('--email <email>', 'The email of the person, which no other member of the service has.'),
    mandatoryOption('--role <role>', 'What the person will be.').choices(roles),
    merchantOption,
  ],
  needsSoundLog: true,
  example: {
    words: '--email ada@example.com --role owner',
    prints: `ada@example.com is invited as owner. Until 2026-11-27T10:32:00.000Z, once, this link makes them a member:
https://pay.example.com/dashboard/join#mem_0350octnOHjxKc0nvAnxpS.…`,
    json: `{"member_id":"mem_0350octnOHjxKc0nvAnxpS","email":"ada@example.com","role":"owner",
  "url":"https://pay.example.com/dashboard/join#mem_…","expires_at":"2026-11-27T10:32:00.000Z"}`,
  },
  run: (line, installation) =>
    installation.withBilling(async (billing) => {
      const [email, role] = [line.required('email').trim(), line.required('role')]
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) return E.left(usageError('--email must be an email address.'))
      if (!MemberRole.is(role)) throw new Error(`${role} is no role`)
      const merchantId = await merchantOf(billing, line)
      if (E.isLeft(merchantId)) return merchantId
      const invited = await billing.team.members.inviteByOperator(merchantId.right, { email, role })
      if (E.isLeft(invited)) return invited
      const { object: _, ...json } = invited.right
      const until = `Until ${json.expires_at}, once, this link makes them a member:`
      return E.right({ status: 0, json, text: printable(`${email} is invited as ${role}. ${until}\n${json.url}`) })
    }),
}

export const memberList: Command = {
  name: 'member list',
  summary: "Lists the members of a merchant's team.",
  explanation: 'Lists who has joined and who is invited, with their roles.',
  options: [merchantOption],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `MEMBER                      EMAIL            NAME  ROLE   STATUS  SECOND FACTOR
mem_0350octnOHjxKc0nvAnxpS  ada@example.com  Ada   owner  active  yes`,
    json: `[{"id":"mem_0350octnOHjxKc0nvAnxpS","email":"ada@example.com","name":"Ada","role":"owner","status":"active",
  "has_second_factor":true,"created_at":"2026-11-20T10:32:00.000Z"}]`,
  },
  run: (line, installation) =>
    installation.withBilling(async (billing) => {
      const merchantId = await merchantOf(billing, line)
      if (E.isLeft(merchantId)) return merchantId
      const members = await billing.team.members.list(merchantId.right)
      if (E.isLeft(members)) return members
      const rows = members.right.map(({ id, email, name, role, status, has_second_factor }) =>
        [id, email ?? 'not here', name ?? '', role, status, has_second_factor ? 'yes' : 'no'].map(printable),
      )
      const heading = ['MEMBER', 'EMAIL', 'NAME', 'ROLE', 'STATUS', 'SECOND FACTOR']
      return E.right({
        status: 0,
        json: members.right.map(({ object: _, ...member }) => member),
        text: rows.length === 0 ? 'Nobody is in the team.' : table([heading, ...rows]),
      })
    }),
}

export const memberRemove: Command = {
  name: 'member remove',
  summary: "Removes a member from a merchant's team.",
  explanation:
    'Ends their sessions and the keys that they have made at once, and destroys their name, email and secrets. The last owner stays: invite another one first.',
  argument: new Argument('<member_id>', 'The id of the member, as `quittance member list` shows it.'),
  options: [merchantOption],
  needsSoundLog: true,
  example: {
    words: 'mem_0350octnOHjxKc0nvAnxpS',
    prints: 'mem_0350octnOHjxKc0nvAnxpS is removed.',
    json: '{"id":"mem_0350octnOHjxKc0nvAnxpS","removed":true}',
  },
  run: (line, installation) =>
    installation.withBilling(async (billing) => {
      const merchantId = await merchantOf(billing, line)
      if (E.isLeft(merchantId)) return merchantId
      const id = line.required('member_id')
      const removed = await billing.team.members.remove({ actor: 'operator', merchantId: merchantId.right }, id)
      if (E.isLeft(removed)) return removed
      return E.right({ status: 0, json: { id, removed: true }, text: printable(`${id} is removed.`) })
    }),
}
