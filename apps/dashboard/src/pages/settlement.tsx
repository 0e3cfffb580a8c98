import type { Settlement as SetUp } from '@quittance/client/wire'
import { useState } from 'preact/hooks'
import { amount } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { may } from '../service/session.ts'
import { ActionForm, demandedIn } from '../ui/action.tsx'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { Check, Choice, Field, TextField } from '../ui/field.tsx'
import { Facts, Page, Section } from '../ui/page.tsx'
import { CopyButton, Status } from '../ui/small.tsx'
import { Shown } from '../ui/states.tsx'

/** The account that is paid: whether it can be, and what is missing. */
export const Settlement = () => {
  const loaded = useLoaded(() => api.settlement.retrieve())
  const { places, settlement } = words.value
  return (
    <Page title={places.settlement} intro={settlement.intro}>
      <Shown of={loaded}>
        {(account) => (
          <>
            {account.is_ready ? (
              <p class="notice good" data-testid="settlement-ready">
                {settlement.isReady}
              </p>
            ) : (
              <Problems of={account} />
            )}
            <Facts
              of={[
                [
                  settlement.address,
                  account.address === null ? (
                    settlement.noAddress
                  ) : (
                    <span class="row">
                      <code>{account.address}</code> <CopyButton text={account.address} />
                    </span>
                  ),
                ],
                [settlement.custody, settlement.custodies[account.custody]],
                [settlement.balance, amount(`${account.balance} XLM`)],
                [settlement.reserve, amount(`${account.reserve} XLM`)],
                [settlement.missing, account.missing === '0' ? null : amount(`${account.missing} XLM`)],
              ]}
            />
            <Assets of={account} />
            {may('settlement:write') && (
              <div class="actions">
                <ChangeAssets of={account} reload={loaded.reload} />
                <OwnAccount reload={loaded.reload} />
              </div>
            )}
          </>
        )}
      </Shown>
    </Page>
  )
}

const Problems = ({ of }: { readonly of: SetUp }) => {
  const { settlement } = words.value
  return (
    <div class="notice warn" data-testid="settlement-problems">
      <h2>{settlement.notReady}</h2>
      <ol>
        {of.problems.map(({ code, message, remedy }) => (
          <li key={`${code} ${message}`}>
            <strong>{message}</strong> {remedy}
          </li>
        ))}
      </ol>
      {of.funding.sep7_uri !== null && of.missing !== '0' && (
        <p>
          <a class="button plain" href={of.funding.sep7_uri}>
            {settlement.fund}
          </a>
        </p>
      )}
    </div>
  )
}

const Assets = ({ of }: { readonly of: SetUp }) => {
  const { settlement, fields } = words.value
  return (
    <Section title={settlement.assets}>
      <div class="table-frame card">
        <table class="records">
          <thead>
            <tr>
              <th scope="col">{fields.asset}</th>
              <th scope="col">{settlement.trustline}</th>
              <th scope="col" class="number">
                {settlement.balance}
              </th>
            </tr>
          </thead>
          <tbody>
            {of.assets.map(({ asset_id, code, is_default, trustline, balance }) => (
              <tr key={asset_id}>
                <td data-title={fields.asset}>
                  <span>
                    {code} {is_default && <span class="status">{settlement.default}</span>}
                  </span>
                </td>
                <td data-title={settlement.trustline}>
                  <Status of={trustline} />
                </td>
                <td data-title={settlement.balance} class="number">
                  {amount(`${balance} ${code}`)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

const ChangeAssets = ({ of, reload }: { readonly of: SetUp; readonly reload: () => void }) => {
  const { settlement, actions } = words.value
  const known = useLoaded(() => api.catalogue.assets())
  if (known.state._tag !== 'Ready') return null
  const assets = known.state.value
  return (
    <Dialog opens={settlement.change} title={settlement.change}>
      {(close) => (
        <ActionForm
          submit={actions.save}
          cancel={<CancelButton close={close} />}
          does={async (form) => {
            const chosen = form.getAll('asset').map(String)
            const preferred = demandedIn(form, 'default')
            await api.settlement.update({
              assets: chosen,
              ...(chosen.includes(preferred) ? { default_asset_id: preferred } : {}),
            })
            close()
            reload()
          }}
        >
          <fieldset>
            <legend>{settlement.accepted}</legend>
            {assets.map(({ asset_id, code, description }) => (
              <Check
                key={asset_id}
                label={`${code} – ${description}`}
                name="asset"
                value={asset_id}
                defaultChecked={of.assets.some((each) => each.asset_id === asset_id)}
              />
            ))}
          </fieldset>
          <Choice
            label={settlement.default}
            name="default"
            value={of.assets.find((each) => each.is_default)?.asset_id ?? ''}
            of={assets.map(({ asset_id, code }) => [asset_id, code] as const)}
          />
        </ActionForm>
      )}
    </Dialog>
  )
}

/** Proof of an account of the merchant's own, by a signature that a wallet makes (SEP-10). */
const OwnAccount = ({ reload }: { readonly reload: () => void }) => {
  const [challenge, setChallenge] = useState<string | null>(null)
  const { settlement } = words.value
  return (
    <Dialog opens={settlement.own} title={settlement.own}>
      {(close) =>
        challenge === null ? (
          <ActionForm
            submit={settlement.ask}
            cancel={<CancelButton close={close} />}
            does={async (form) => {
              const asked = await api.settlement.requestAccount({ address: demandedIn(form, 'address') })
              setChallenge(asked.transaction)
            }}
          >
            <p>{settlement.ownText}</p>
            <Field label={settlement.address} name="address" required pattern="G[A-Z2-7]{55}" />
          </ActionForm>
        ) : (
          <ActionForm
            submit={settlement.prove}
            cancel={<CancelButton close={close} />}
            does={async (form) => {
              await api.settlement.verifyAccount({ transaction: demandedIn(form, 'signed') })
              setChallenge(null)
              close()
              reload()
            }}
          >
            <p>{settlement.signText}</p>
            <p class="row">
              <code class="clipped">{challenge}</code>
              <CopyButton text={challenge} />
            </p>
            <TextField label={settlement.signed} name="signed" required />
          </ActionForm>
        )
      }
    </Dialog>
  )
}
