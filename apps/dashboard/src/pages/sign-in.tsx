import { QuittanceError } from '@quittance/client'
import type { Session } from '@quittance/client/wire'
import { startAuthentication } from '@simplewebauthn/browser'
import { useEffect, useState } from 'preact/hooks'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { enter } from '../service/session.ts'
import { ActionButton, ActionForm, demandedIn, textIn } from '../ui/action.tsx'
import { Field } from '../ui/field.tsx'
import { LanguageSwitch } from '../ui/shell.tsx'
import { optionsToSignIn, passkeyFrom } from './passkey.ts'

/** Ways to sign in: by a password with a code, by a passkey, or by a recovery code. */
export const SignIn = ({ isAtTheSandbox }: { readonly isAtTheSandbox: boolean }) => {
  const [isRecovering, setRecovering] = useState(false)
  const { signIn, product } = words.value
  useEffect(() => {
    document.title = `${signIn.title} · ${product}`
  }, [signIn, product])
  const by = async (opened: Promise<Session>) => enter(await opened)
  const byPasskey = async () => {
    const { options } = await api.session.passkeyOptions()
    const credential = await passkeyFrom(() => startAuthentication({ optionsJSON: optionsToSignIn(options) }))
    if (credential !== null) await by(api.session.signInByPasskey({ credential: { ...credential } }))
  }
  return (
    <main class="alone">
      <div class="card">
        <h1>{isRecovering ? signIn.recover : signIn.title}</h1>
        {isRecovering ? <Recovery by={by} /> : <Password by={by} />}
        <div class="actions">
          {!isRecovering && (
            <ActionButton does={byPasskey} testId="passkey">
              {signIn.passkey}
            </ActionButton>
          )}
          <button type="button" class="plain" onClick={() => setRecovering(!isRecovering)}>
            {isRecovering ? signIn.title : signIn.lost}
          </button>
          {isAtTheSandbox && (
            <ActionButton does={() => by(api.session.enterSandbox())} testId="enter-sandbox">
              {signIn.sandbox}
            </ActionButton>
          )}
        </div>
        <LanguageSwitch />
      </div>
    </main>
  )
}

type FormProps = { readonly by: (opened: Promise<Session>) => Promise<void> }

const Password = ({ by }: FormProps) => {
  const [needed, setNeeded] = useState<'code' | 'passkey' | null>(null)
  const { signIn, fields } = words.value
  return (
    <ActionForm
      submit={signIn.submit}
      testId="sign-in"
      does={async (form) => {
        const code = textIn(form, 'code')
        const [email, password] = [demandedIn(form, 'email'), String(form.get('password'))]
        try {
          await by(api.session.signIn({ email, password, ...(code === undefined ? {} : { code }) }))
        } catch (error) {
          const more = error instanceof QuittanceError ? neededBy(error) : null
          if (more === null || code !== undefined) throw error
          setNeeded(more)
        }
      }}
    >
      <Field label={fields.email} name="email" type="email" required autocomplete="username" />
      <Field label={signIn.password} name="password" type="password" required autocomplete="current-password" />
      {needed === 'code' && (
        <Field label={signIn.code} name="code" inputMode="numeric" autocomplete="one-time-code" required takesFocus />
      )}
      {needed === 'passkey' && (
        <p class="notice warn" role="status" data-testid="passkey-needed">
          {signIn.passkeyNeeded}
        </p>
      )}
    </ActionForm>
  )
}

/** What a right password is not enough without. */
const neededBy = ({ code }: QuittanceError): 'code' | 'passkey' | null => {
  if (code === 'code_needed') return 'code'
  return code === 'passkey_needed' ? 'passkey' : null
}

const Recovery = ({ by }: FormProps) => {
  const { signIn, fields } = words.value
  return (
    <ActionForm
      submit={signIn.submit}
      does={(form) =>
        by(
          api.session.recover({
            email: demandedIn(form, 'email'),
            recovery_code: demandedIn(form, 'recovery_code'),
            new_password: String(form.get('new_password')),
          }),
        )
      }
    >
      <Field label={fields.email} name="email" type="email" required autocomplete="username" />
      <Field label={signIn.recoveryCode} name="recovery_code" required />
      <Field
        label={signIn.newPassword}
        hint={signIn.passwordHint}
        name="new_password"
        type="password"
        required
        minLength={12}
        autocomplete="new-password"
      />
    </ActionForm>
  )
}
