import { useState } from 'preact/hooks'
import { dateTime, short } from '../format.ts'
import { words } from '../messages/index.ts'

const tones: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  active: 'good',
  confirmed: 'good',
  completed: 'good',
  succeeded: 'good',
  delivered: 'good',
  resolved: 'good',
  present: 'good',
  ready: 'good',
  approved: 'good',
  registered: 'good',
  open: 'warn',
  pending: 'warn',
  trialing: 'warn',
  past_due: 'warn',
  paused: 'warn',
  waiting: 'warn',
  replaced: 'warn',
  missing: 'bad',
  failed: 'bad',
  overdue: 'bad',
  exhausted: 'bad',
  not_authorized: 'bad',
  not_ready: 'bad',
  rejected: 'bad',
  revoked: 'bad',
}

/** A status in words, its usual ones unless `word` says otherwise; its colour only repeats them. */
export const Status = ({ of, word }: { readonly of: string; readonly word?: string | undefined }) => {
  const known: Readonly<Record<string, string>> = words.value.statuses
  return (
    <span class={`status ${tones[of] ?? ''}`} data-status={of}>
      {word ?? known[of] ?? of}
    </span>
  )
}

export const Time = ({ at }: { readonly at: string }) => <time dateTime={at}>{dateTime(at)}</time>

/** An address or a hash, of which the middle is left out. */
export const Short = ({ of }: { readonly of: string }) => (
  <code title={of}>
    <span aria-hidden="true">{short(of)}</span>
    <span class="visually-hidden">{of}</span>
  </code>
)

export const CopyButton = ({ text }: { readonly text: string }) => {
  const [isCopied, setCopied] = useState(false)
  const { actions } = words.value
  return (
    <button
      type="button"
      class="plain small"
      onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <span aria-live="polite">{isCopied ? actions.copied : actions.copy}</span>
    </button>
  )
}

/** Something that is shown this once. */
export const Secret = ({
  label,
  text,
  after,
}: {
  readonly label: string
  readonly text: string
  readonly after?: string
}) => (
  <div class="secret card" role="status">
    <p>
      <strong>{label}</strong> {words.value.shownOnce}
    </p>
    <p class="row">
      <code data-testid="secret">{text}</code>
      <CopyButton text={text} />
    </p>
    {after && <p class="quiet">{after}</p>}
  </div>
)
