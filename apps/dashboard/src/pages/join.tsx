import { useLocation } from 'preact-iso/router'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { enter } from '../service/session.ts'
import { ActionForm, demandedIn } from '../ui/action.tsx'
import { Field } from '../ui/field.tsx'

/** Where an invitation leads. Its token is behind `#`, so that no server and no log sees it. */
export const Join = () => {
  const { route } = useLocation()
  const token = location.hash.slice(1)
  const { signIn, fields } = words.value
  return (
    <main class="alone">
      <div class="card">
        <h1>{signIn.join}</h1>
        {token === '' ? (
          <p>{signIn.noToken}</p>
        ) : (
          <ActionForm
            submit={signIn.join}
            testId="join"
            does={async (form) => {
              const [name, password] = [demandedIn(form, 'name'), String(form.get('password'))]
              await enter(await api.session.join({ token, name, password }))
              route('/dashboard', true)
            }}
          >
            <p>{signIn.joinText}</p>
            <Field label={fields.name} name="name" required maxLength={100} autocomplete="name" />
            <Field
              label={signIn.password}
              hint={signIn.passwordHint}
              name="password"
              type="password"
              required
              minLength={12}
              autocomplete="new-password"
            />
          </ActionForm>
        )}
      </div>
    </main>
  )
}
