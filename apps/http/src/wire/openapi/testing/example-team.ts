import type { MemberRole } from '@quittance/domain'
import { Secret, TOTP } from 'otpauth'
import { authenticator } from '../../../testing/authenticator.ts'
import { memberClient, ownersSession } from '../../../testing/members.ts'
import type { Operator } from '../../../testing/operator.ts'
import type { Service } from '../../../testing/service.ts'

const password = 'correct horse battery staple'

/** The members whom examples of requests are about. */
export const exampleTeam = (service: Service, { platform }: Operator) => {
  const { anyone, facts, url } = service
  const { members } = platform.billing.team
  let made = 0
  const invitation = async (email = `member-${++made}@example-shop.example`, role: MemberRole = 'support') => {
    const invited = await members.inviteByOperator(facts.merchant_id, { email, role })
    if (invited._tag === 'Left') throw new Error(invited.left._tag)
    return invited.right.url.split('#')[1] ?? ''
  }
  /** A new member, with a session. */
  const joined = async (email?: string) => {
    const token = await invitation(email)
    const { body, headers } = await anyone('/session/join', { body: { token, name: 'Ada King', password } })
    const session = headers.get('set-cookie')?.split(';')[0]?.split('=')[1] ?? ''
    return { id: String(body.data.member.id), ask: memberClient(service, session) }
  }
  let ada: ReturnType<typeof joined> | null = null
  const adaOf = () => {
    ada ??= joined('ada@example.com')
    return ada
  }
  const optionsOf = async (answer: Promise<{ readonly body: ReturnType<typeof JSON.parse> }>) =>
    (await answer).body.data.options
  return {
    invitation,
    owner: () => ownersSession(service),
    /** Ada, with the password of the examples. */
    member: async () => (await adaOf()).id,
    recoveryCode: async () => {
      const { body } = await (await adaOf()).ask('/member/recovery_codes', { method: 'POST' })
      return body.data.codes[0]
    },
    totpCode: async (session: string) => {
      const { body } = await memberClient(service, session)('/member/totp', { method: 'POST' })
      return new TOTP({ secret: Secret.fromBase32(body.data.secret) }).generate()
    },
    /** A key that the member of a session has made. */
    apiKey: async (session: string) => {
      const { body } = await memberClient(service, session)('/api_keys', { body: { kind: 'secret', name: 'Shop' } })
      return String(body.data.id)
    },
    newPasskey: async (session: string) => {
      const ask = memberClient(service, session)
      const { challenge } = await optionsOf(ask('/member/passkeys/options', { method: 'POST' }))
      return authenticator(url).register(challenge)
    },
    signedPasskey: async () => {
      const [{ id, ask }, phone] = [await joined(), authenticator(url)]
      const { challenge } = await optionsOf(ask('/member/passkeys/options', { method: 'POST' }))
      await ask('/member/passkeys', { body: { name: 'Phone', credential: phone.register(challenge) } })
      const asked = await optionsOf(anyone('/session/passkey/options', { method: 'POST' }))
      return phone.signIn(asked.challenge, id)
    },
  }
}
