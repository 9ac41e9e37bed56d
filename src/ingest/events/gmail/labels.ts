/** Comma-separated, quoted if needed. Expects decoded words. */
export function parseLabels(value: string): string[] {
  const labels: string[] = []
  for (const match of value.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)) {
    const label = (match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim()
    if (label !== '' && !labels.includes(label)) labels.push(label)
  }
  return labels
}

export type Fate = 'spam' | 'trash' | 'draft' | 'chat'

/** Takeout localizes system labels; the API uses fixed ids. */
const NAMES: Readonly<Record<Fate | 'sent', readonly string[]>> = {
  spam: [
    'spam',
    'junk',
    'courrier indésirable',
    'pourriel',
    'correo no deseado',
    'lixo eletrônico',
    'ongewenst',
    'skräppost',
    'søppelpost',
    'roskaposti',
    'спам',
    '迷惑メール',
    '垃圾邮件',
    '垃圾郵件',
    '스팸함',
    'istenmeyen',
    'nevyžádaná pošta',
  ],
  trash: [
    'trash',
    'bin',
    'deleted',
    'papierkorb',
    'corbeille',
    'papelera',
    'lixeira',
    'lixo',
    'cestino',
    'prullenbak',
    'papperskorgen',
    'papirkurv',
    'papirkurven',
    'roskakori',
    'kosz',
    'корзина',
    'ゴミ箱',
    '已删除邮件',
    '垃圾桶',
    '휴지통',
    'çöp kutusu',
    'koš',
  ],
  draft: [
    'draft',
    'drafts',
    'entwurf',
    'entwürfe',
    'brouillon',
    'brouillons',
    'borrador',
    'borradores',
    'rascunho',
    'rascunhos',
    'bozza',
    'bozze',
    'concept',
    'concepten',
    'utkast',
    'kladde',
    'kladder',
    'luonnos',
    'luonnokset',
    'wersja robocza',
    'wersje robocze',
    'черновик',
    'черновики',
    '下書き',
    '草稿',
    '임시보관함',
    'taslak',
    'taslaklar',
    'koncepty',
  ],
  chat: ['chat', 'chats'],
  sent: [
    'sent',
    'sent mail',
    'gesendet',
    'gesendete nachrichten',
    'envoyé',
    'envoyés',
    'messages envoyés',
    'enviado',
    'enviados',
    'e-mails enviados',
    'inviati',
    'posta inviata',
    'verzonden',
    'verzonden berichten',
    'skickat',
    'skickade',
    'sendt',
    'sendte',
    'lähetetyt',
    'wysłane',
    'отправленные',
    '送信済み',
    '送信済みメール',
    '已发送',
    '已发送邮件',
    '寄件備份',
    '보낸편지함',
    '보낸메일함',
    'gönderilmiş',
    'gönderilmiş postalar',
    'odeslaná pošta',
  ],
}

const FATES: readonly Fate[] = ['spam', 'trash', 'draft', 'chat']

export function isLabelled(labels: readonly string[], kind: Fate | 'sent'): boolean {
  return labels.some((label) => NAMES[kind].includes(label.toLowerCase()))
}

export function fateOf(labels: readonly string[] | undefined): Fate | undefined {
  return labels === undefined ? undefined : FATES.find((fate) => isLabelled(labels, fate))
}
