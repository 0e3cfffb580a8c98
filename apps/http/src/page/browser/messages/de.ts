import type { ScriptMessages } from './en.ts'

const payment = {
  open: 'Wartet auf Ihre Zahlung',
  completed: 'Zahlung eingegangen',
  expired: 'Dieser Bezahlvorgang ist abgelaufen',
  failed: 'Dieser Bezahlvorgang konnte nicht abgeschlossen werden',
}
const signature = { ...payment, open: 'Wartet auf Ihre Signatur' }

const each = { day: 'jeden Tag', week: 'jede Woche', month: 'jeden Monat', year: 'jedes Jahr' }
const several = { day: 'Tage', week: 'Wochen', month: 'Monate', year: 'Jahre' }

/** Was ein Bezahlvorgang und seine Skripte gemeinsam sagen, auf Deutsch. */
export const de: ScriptMessages = {
  dates: 'de-DE',
  numbers: 'de-DE',
  decimalSign: ',',
  statuses: {
    payment,
    subscription: { ...signature, completed: 'Ihr Abonnement hat begonnen' },
    invoice: { ...payment, failed: 'Hier ist nichts mehr zu bezahlen' },
    authorization: {
      ...signature,
      completed: 'Ihre Wallet hat zugestimmt',
      failed: 'Hier ist nichts mehr zu signieren',
    },
  },
  noPrice: 'Wartet auf einen Preis',
  paused: 'Zahlungen sind ausgesetzt',
  partlyPaid: (received, due) => `${received} eingegangen, ${due} noch offen`,
  failures: {
    underpaid:
      'Der volle Betrag war nicht eingegangen, als die Zeit ablief. Was ankam, geht nach Möglichkeit an das zahlende Konto zurück.',
    wrong_asset:
      'Es kam eine Zahlung in einem anderen Asset als verlangt. Sie geht nach Möglichkeit an das zahlende Konto zurück.',
    authorization_failed:
      'Signiert wurde nicht die Vollmacht, um die dieser Bezahlvorgang gebeten hat. Deshalb hat nichts begonnen.',
    product_unavailable: 'Dieses Produkt gibt es nicht mehr.',
    paid_otherwise:
      'Es wurde auf anderem Weg bezahlt, und Ihr Abonnement läuft weiter. Was hierher gesendet wurde, geht nach Möglichkeit an das zahlende Konto zurück.',
    not_owed:
      'Der Betrag wird nicht mehr geschuldet. Was hierher gesendet wurde, geht nach Möglichkeit an das zahlende Konto zurück.',
    subscription_canceled: 'Das Abonnement ist beendet.',
    not_needed: 'Worum hier gebeten wurde, wird nicht mehr gebraucht.',
    other: 'Die Zahlung konnte diesem Bezahlvorgang nicht zugeordnet werden.',
  },
  amount: 'Betrag',
  stillDue: 'Noch offen',
  receivedOf: (received, amount) => `${received} von ${amount} eingegangen`,
  every: (interval, count) => (count === 1 ? each[interval] : `alle ${count} ${several[interval]}`),
  mandate: {
    nothing: 'Sie zahlen jetzt nichts.',
    first: (amount) => `Sie zahlen jetzt ${amount}.`,
    owed: (amount) => `Was Sie schulden, ${amount}, wird eingezogen, sobald Sie signiert haben.`,
    trial: (days, until) =>
      `Sie zahlen jetzt nichts. ${days === 1 ? 'Der erste Tag ist' : `Die ersten ${days} Tage sind`} kostenlos, bis zum ${until}.`,
    halfDay: '12 Stunden',
    day: 'einen Tag',
    fromNow: (every, cap, distance) =>
      `Danach wird ${every} eine Zahlung eingezogen: jede zum Preis ihres Tages, nie mehr als ${cap} und frühestens ${distance} nach der vorigen.`,
    afterTrial: (every, cap, distance) =>
      `Von da an wird ${every} eine Zahlung eingezogen: jede zum Preis ihres Tages, nie mehr als ${cap} und frühestens ${distance} nach der vorigen.`,
    replaces: 'Das ersetzt, was Sie zuvor signiert haben.',
    end: 'Das gilt, bis es beendet wird. Sie können es jederzeit beenden, beim Verkäufer oder in Ihrer Wallet.',
    trialUsed:
      'Diese Wallet oder ihr Inhaber hatte die Probezeit dieses Produkts schon: Die erste Zahlung ist jetzt fällig, wie es oben steht.',
    changed: 'Es hat sich geändert, wie es oben steht.',
  },
  timeLeft: (time) => `(noch ${time})`,
  sessionOver: 'jetzt; das Ende wird bestätigt',
  quoteOver: 'eben; der Preis wird erneuert',
  noPriceNow: 'Im Moment gibt es keinen Preis.',
  notRenewed: (problem) => `Der Preis konnte nicht erneuert werden; es wird noch einmal versucht. ${problem}`,
  noQr: 'Der QR-Code konnte nicht erneuert werden.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  selected: 'Markiert',
  returning: (merchant, seconds) => `In ${seconds} s geht es zurück zu ${merchant}`,
  sandboxPaid: 'Bezahlt; die Bestätigung steht noch aus',
  assets: {
    looking: 'Das Guthaben des Kontos wird gesucht …',
    none: 'Das Konto hat nichts, was getauscht werden könnte.',
    held: (balance) => `${balance} vorhanden`,
    issuedBy: (issuer) => `herausgegeben von ${issuer}`,
    noPath: 'im Moment kein annehmbarer Preis',
    unchecked: 'kein Wechselkurs, um diesen Preis zu prüfen',
    tooLittle: 'reicht nicht',
    most: (amount) => `höchstens ${amount}`,
  },
  sign: {
    noTransaction: 'Der Dienst hat mit etwas anderem als einer Transaktion geantwortet.',
    noMandate: 'Der Dienst hat mit etwas anderem als einem Mandat geantwortet.',
    sends: (amount, until) => `Die Transaktion sendet ${amount} und kann bis ${until} signiert werden.`,
    until: (until) => `Sie können bis ${until} signieren.`,
  },
  noWallets:
    'Die Wallets konnten nicht geladen werden. Bitte prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  noAnswer: 'Es kam keine Antwort. Bitte prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  status: (status) => `Der Dienst hat mit dem Status ${status} geantwortet`,
  refusals: {
    checkout_not_open: 'Dieser Bezahlvorgang ist nicht mehr offen',
    merchant_not_ready: 'Der Verkäufer kann gerade keine Zahlungen annehmen',
    network_not_configured: 'Dieses Netz ist hier nicht eingerichtet',
    sales_frozen: 'Zahlungen sind gerade ausgesetzt. Ihnen wurde nichts abgebucht',
    rate_unavailable: 'Im Moment gibt es keinen verlässlichen Wechselkurs. Bitte versuchen Sie es gleich noch einmal',
    amount_too_large: 'Der Betrag ist zu groß',
    conflict: 'Jemand anderes ändert das gerade. Bitte versuchen Sie es noch einmal',
    outcome_unknown: 'Es ist noch nicht sicher, ob das geklappt hat. Bitte sehen Sie gleich noch einmal nach',
    ledger_unavailable: 'Das Ledger ist nicht erreichbar. Bitte versuchen Sie es später noch einmal',
    source_account_not_found: 'Dieses Konto gibt es auf dem Ledger nicht',
    no_path: 'Kein Markt führt gerade von diesem Asset zu dem verlangten',
    path_too_expensive:
      'Mit diesem Asset zu bezahlen wäre jetzt zu teuer. Versuchen Sie es später noch einmal oder nehmen Sie ein anderes Asset',
    send_max_required: 'Kein Wechselkurs sagt, was dieses Asset wert ist',
    send_asset_not_held: 'Das Konto hat dieses Asset nicht oder darf es nicht weggeben',
    send_asset_too_little: 'Das Konto hat zu wenig von diesem Asset',
    paths_unavailable: 'Gerade kann niemand sagen, was andere Assets kosten. Bitte versuchen Sie es später noch einmal',
    paths_not_configured: 'Hier kann nur mit dem verlangten Asset bezahlt werden',
    customer_needed: 'Bitte sagen Sie zuerst, wer bezahlt',
    subscriptions_not_available: 'Abonnements gibt es hier gerade nicht',
    wallet_balance_too_low: 'Das Guthaben des Kontos reicht nicht',
    wallet_trustline_missing: 'Das Konto kann dieses Asset noch nicht halten',
    wallet_trustline_not_needed: 'Das Konto kann dieses Asset schon halten',
    wallet_frozen: 'Der Herausgeber des Assets lässt dieses Konto nicht darüber verfügen',
    already_subscribed: 'Dieses Abonnement haben Sie schon',
    mandate_exists:
      'Diese Wallet hat für diesen Bezahlvorgang ein anderes Mandat signiert, das nicht zählt. Nehmen Sie eine andere Wallet oder beginnen Sie neu',
    mandate_refused: 'Der Vertrag hat das Mandat dieser Wallet nicht angenommen',
    bad_sequence: 'Das Konto hat inzwischen etwas anderes gesendet. Bitte versuchen Sie es noch einmal',
    network_busy: 'Das Netz ist überlastet. Bitte versuchen Sie es in einigen Sekunden noch einmal',
    malformed_transaction: 'Das ist keine Transaktion',
    transaction_refused: 'Das Netz nimmt diese Transaktion nicht an',
    transaction_expired: 'Die Zeit der Transaktion ist abgelaufen. Bitte versuchen Sie es noch einmal',
    fee_too_low: 'Das Netz verlangt eine höhere Gebühr',
    fee_source_cannot_pay: 'Das Konto kann die Gebühr nicht bezahlen',
    customer_already_attached: 'Es ist schon bekannt, wer bezahlt',
    request_in_progress: 'Dieselbe Anfrage läuft noch. Bitte versuchen Sie es gleich noch einmal',
    payment_already_begun: 'Die Zahlung hat schon begonnen',
    malformed_address: 'Das ist keine Adresse eines Stellar-Kontos',
    malformed_request: 'Das ist keine gültige Angabe',
    invalid_request: 'Das ist keine gültige Angabe. Bitte prüfen Sie, was Sie eingegeben haben',
    too_many_requests: 'Das waren zu viele Anfragen. Bitte warten Sie einen Moment',
    store_unavailable: 'Der Dienst kann gerade nicht antworten. Bitte versuchen Sie es später noch einmal',
    internal_error: 'Beim Dienst ist etwas schiefgegangen',
    not_found: 'Das gibt es hier nicht',
  },
  refusal: (sentence) => `Der Dienst meldet: ${sentence}`,
}
