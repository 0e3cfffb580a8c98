import type { OwnMember, Totp } from '@quittance/client/wire'
import { startRegistration } from '@simplewebauthn/browser'
import { useState } from 'preact/hooks'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { ActionButton, ActionForm, demandedIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Qr } from '../ui/qr.tsx'
import { CopyButton, Secret } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'
import { optionsToRegister, passkeyFrom } from './passkey.ts'

type PartProps = { readonly of: OwnMember; readonly reload: () => void }

/** What the member signs in with. */
export const Account = () => {
  const loaded = useLoaded(() => api.ownMember.retrieve())
  const { places, account } = words.value
  return (
    <Page title={places.account} intro={account.intro}>
      <Shown of={loaded}>
        {(member) => (
          <>
            <Password of={member} reload={loaded.reload} />
            <Authenticator of={member} reload={loaded.reload} />
            <Passkeys of={member} reload={loaded.reload} />
            <RecoveryCodes of={member} reload={loaded.reload} />
          </>
        )}
      </Shown>
    </Page>
  )
}

const Password = ({ of, reload }: PartProps) => {
  const { account, signIn, actions } = words.value
  return (
    <Section title={account.password}>
      <p>{of.has_password ? account.passwordIs : account.noPassword}</p>
      <div class="actions">
        <Dialog opens={account.change} title={account.change}>
          {(close) => (
            <ActionForm
              submit={actions.save}
              cancel={<CancelButton close={close} />}
              does={async (form) => {
                await api.ownMember.changePassword({ new_password: String(form.get('password')) })
                close()
                reload()
              }}
            >
              <Field
                label={signIn.newPassword}
                hint={signIn.passwordHint}
                name="password"
                type="password"
                required
                minLength={12}
                autocomplete="new-password"
              />
            </ActionForm>
          )}
        </Dialog>
      </div>
    </Section>
  )
}

const Authenticator = ({ of, reload }: PartProps) => {
  const [totp, setTotp] = useState<Totp | null>(null)
  const { account } = words.value
  if (of.totp_is_on) {
    return (
      <Section title={account.totp}>
        <p>{account.totpOn}</p>
        <div class="actions">
          <ActionButton kind="danger" does={() => api.ownMember.endTotp().then(reload)}>
            {account.turnOff}
          </ActionButton>
        </div>
      </Section>
    )
  }
  return (
    <Section title={account.totp}>
      {totp === null ? (
        <>
          <p>{account.totpOff}</p>
          <div class="actions">
            <ActionButton does={async () => setTotp(await api.ownMember.beginTotp())}>{account.setUp}</ActionButton>
          </div>
        </>
      ) : (
        <div class="card narrow">
          <ActionForm
            submit={account.confirm}
            does={async (form) => {
              await api.ownMember.confirmTotp({ code: demandedIn(form, 'code') })
              setTotp(null)
              reload()
            }}
          >
            <p>{account.totpText}</p>
            <Qr text={totp.uri} label={account.totpQr} />
            <p class="row">
              <code>{totp.secret}</code>
              <CopyButton text={totp.secret} />
            </p>
            <Field label={account.code} name="code" inputMode="numeric" autocomplete="one-time-code" required />
          </ActionForm>
        </div>
      )}
    </Section>
  )
}

const Passkeys = ({ of, reload }: PartProps) => {
  const { account } = words.value
  const add = async (name: string) => {
    const { options } = await api.ownMember.passkeyOptions()
    const credential = await passkeyFrom(() => startRegistration({ optionsJSON: optionsToRegister(options) }))
    if (credential === null) return
    await api.ownMember.addPasskey({ credential: { ...credential }, name })
    reload()
  }
  return (
    <Section title={account.passkeys}>
      {of.passkeys.length === 0 && <p>{account.noPasskeys}</p>}
      <ul>
        {of.passkeys.map(({ id, name }) => (
          <li key={id} class="row">
            {name}
            <ActionButton kind="danger" does={() => api.ownMember.removePasskey(id).then(reload)}>
              {account.remove}
              <span class="visually-hidden"> {name}</span>
            </ActionButton>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Dialog opens={account.addPasskey} title={account.addPasskey} testId="add-passkey">
          {(close) => (
            <ActionForm
              submit={account.addPasskey}
              cancel={<CancelButton close={close} />}
              does={async (form) => {
                await add(demandedIn(form, 'name'))
                close()
              }}
            >
              <Field label={account.passkeyName} name="name" required maxLength={100} />
            </ActionForm>
          )}
        </Dialog>
      </div>
    </Section>
  )
}

const RecoveryCodes = ({ of, reload }: PartProps) => {
  const [codes, setCodes] = useState<ReadonlyArray<string>>([])
  const { account } = words.value
  return (
    <Section title={account.recovery}>
      <p>{account.left(of.recovery_codes_left)}</p>
      {codes.length > 0 && <Secret label={account.codes} text={codes.join('\n')} />}
      <div class="actions">
        <ActionButton
          does={async () => {
            setCodes((await api.ownMember.makeRecoveryCodes()).codes)
            reload()
          }}
        >
          {account.make}
        </ActionButton>
      </div>
    </Section>
  )
}
