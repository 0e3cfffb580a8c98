import { words } from '../messages/index.ts'
import { enter } from '../service/session.ts'
import { sessions } from '../service/sessions.ts'
import { ActionForm, demandedIn, textIn } from '../ui/action.tsx'
import { Field } from '../ui/field.tsx'
import { LanguageSwitch } from '../ui/shell.tsx'

export const SignIn = () => {
  const { signIn, fields, actions } = words.value
  return (
    <main class="alone">
      <div class="card">
        <h1>{signIn.title}</h1>
        <ActionForm
          submit={signIn.submit}
          testId="sign-in"
          does={async (form) => {
            const code = textIn(form, 'code')
            const email = demandedIn(form, 'email')
            const password = String(form.get('password'))
            await enter(await sessions.start({ email, password, ...(code === undefined ? {} : { code }) }))
          }}
        >
          <Field label={fields.email} name="email" type="email" required autocomplete="username" />
          <Field label={signIn.password} name="password" type="password" required autocomplete="current-password" />
          <Field
            label={`${signIn.code} ${actions.optional}`}
            name="code"
            inputMode="numeric"
            autocomplete="one-time-code"
          />
        </ActionForm>
        <LanguageSwitch />
      </div>
    </main>
  )
}
