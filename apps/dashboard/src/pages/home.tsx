import type { Summary } from '@quittance/client/wire'
import { amount, count, day, money, percent } from '../format.ts'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { isInSandbox } from '../service/session.ts'
import { BarChart } from '../ui/chart.tsx'
import { Page } from '../ui/page.tsx'
import { Shown } from '../ui/states.tsx'
import { FirstSteps } from './first-steps.tsx'

/** How the business goes: the last thirty days, by the public API. */
export const Home = () => {
  const loaded = useLoaded(() => api.reports.summary())
  const { home } = words.value
  return (
    <Page title={home.title} intro={home.intro}>
      <Shown of={loaded}>
        {(summary) => (
          <>
            {summary.exceptions_open > 0 && (
              <p class="notice warn">
                <a href="/dashboard/exceptions?status=open">{home.exceptions(summary.exceptions_open)}</a>
              </p>
            )}
            {isNew(summary) && <FirstSteps isInSandbox={isInSandbox()} />}
            <Figures of={summary} />
            {summary.revenue.map(({ currency_code, is_asset, days }) => (
              <BarChart
                key={currency_code}
                title={home.revenueIn(currency_code)}
                bars={days.map(({ date, amount: earned }) => ({
                  label: day(date),
                  value: Number(earned),
                  text: worth(earned, currency_code, is_asset),
                }))}
              />
            ))}
            {!summary.is_complete && <p class="quiet">{home.incomplete}</p>}
          </>
        )}
      </Shown>
    </Page>
  )
}

const isNew = ({ revenue, subscriptions }: Summary): boolean =>
  revenue.length === 0 && Object.values(subscriptions).every((each) => each === 0)

const worth = (earned: string, unit: string, isAsset: boolean): string =>
  isAsset ? amount(`${earned} ${unit}`) : money(Number(earned) * 100, unit)

const Figures = ({ of }: { readonly of: Summary }) => {
  const { home } = words.value
  const earned = of.revenue.map((each) => worth(each.amount, each.currency_code, each.is_asset))
  const recurring = of.monthly_recurring.map((each) => money(Number(each.amount) * 100, each.currency_code))
  const { active, trialing, past_due, overdue } = of.subscriptions
  return (
    <dl class="figures">
      <Figure name={home.revenue} values={earned} testId="revenue" />
      <Figure name={home.mrr} values={recurring} note={home.mrrNote} />
      <Figure name={home.active} values={[count(active)]} note={home.activeNote(trialing, past_due + overdue)} />
      <Figure
        name={home.churn}
        values={of.churn === null ? [] : [percent(of.churn)]}
        note={home.canceled(of.canceled)}
      />
      <Figure name={home.renewals} values={[count(of.renewals.renewed)]} note={home.renewalsNote} />
      <Figure name={home.failed} values={[count(of.renewals.failed)]} note={home.recovered(of.renewals.recovered)} />
    </dl>
  )
}

type FigureProps = {
  readonly name: string
  readonly values: ReadonlyArray<string>
  readonly note?: string
  readonly testId?: string
}

const Figure = ({ name, values, note, testId }: FigureProps) => (
  <div class="card">
    <dt>{name}</dt>
    <dd data-testid={testId}>
      {values.length === 0 ? '–' : values.map((each) => <span key={each}>{each}</span>)}
      {note && <small>{note}</small>}
    </dd>
  </div>
)
