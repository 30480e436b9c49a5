import type { Language } from '#lib/core/language.ts';
import { NO_DOMAIN, type UsedUp } from '#lib/core/session.ts';

export interface Named {
  path: string;
  title: string;
}

/** What the message says. `gave`: what the domain, or the session, handed over before and the caller may see. */
export interface Facts {
  outcome: 'found' | 'nothing_new' | 'nothing_found' | 'stopped';
  cause?: UsedUp | undefined;
  domain: string;
  documents: number;
  in_session: boolean;
  /** The call named a domain that holds nothing for its caller. */
  empty_domain?: boolean;
  gave: readonly Named[];
  /** L1 could not be asked. */
  keyword_only: boolean;
}

/** One sentence or two for the agent, in the query's language (R6.1, R6.6). */
export function lookupMessage(language: Language, facts: Facts): string {
  const { said, keyword_only } = language === 'zh' ? CHINESE : ENGLISH;
  return facts.keyword_only ? `${said(facts)}${keyword_only}` : said(facts);
}

const named = ({ path, title }: Named, open: string, close: string): string =>
  path === '' || title === '' ? path || title : `${path}${open}${title}${close}`;

const ENGLISH = {
  keyword_only: ' Search by meaning is out of reach just now: these are keyword matches only.',
  said({ outcome, cause, domain, documents, in_session, empty_domain, gave }: Facts): string {
    const list = gave.map((each) => named(each, ' (', ')')).join(', ');
    const before = list === '' ? '' : ` It gave: ${list}.`;
    const advice = 'Other words will not help: work from what you have.';
    switch (outcome) {
      case 'found': {
        const count = documents === 1 ? '1 document' : `${documents} documents`;
        return in_session ? `Found ${count}; the domain "${domain}" counts as searched.` : `Found ${count}.`;
      }
      case 'nothing_found':
        return empty_domain
          ? `The domain "${domain}" holds nothing that you may see: take a domain from the knowledge map.`
          : 'Nothing relevant is stored.';
      case 'nothing_new':
        return `All that matched was returned before in this session: ${list}. ${advice}`;
      case 'stopped':
        if (domain === NO_DOMAIN)
          return 'Too many searches without a domain found nothing in this session. Other words will not help: name a domain, or work from what you have.';
        return cause === 'fruitless'
          ? `The domain "${domain}" was searched too often without success in this session.${before} ${advice}`
          : `The domain "${domain}" was searched already in this session.${before} ${advice}`;
    }
  },
};

const CHINESE = {
  keyword_only: '（语义检索暂不可用，以上仅为关键词匹配。）',
  said({ outcome, cause, domain, documents, in_session, empty_domain, gave }: Facts): string {
    const list = gave.map((each) => named(each, '（', '）')).join('、');
    const before = list === '' ? '' : `此前已给出：${list}。`;
    const advice = '换其他词检索也不会有新结果，请依据已有内容推理。';
    switch (outcome) {
      case 'found':
        return in_session
          ? `找到 ${documents} 份文档；知识域「${domain}」已计为检索过。`
          : `找到 ${documents} 份文档。`;
      case 'nothing_found':
        return empty_domain
          ? `知识域「${domain}」中没有你可见的内容；请从知识地图中选择知识域。`
          : '没有找到相关知识。';
      case 'nothing_new':
        return `匹配到的内容在本会话中都已给出：${list}。${advice}`;
      case 'stopped':
        if (domain === NO_DOMAIN)
          return '本会话中未指明知识域的检索已多次无果，换其他词也不会有结果；请指明 domain，或依据已有内容推理。';
        return cause === 'fruitless'
          ? `知识域「${domain}」在本会话中已多次检索无果。${before}${advice}`
          : `知识域「${domain}」在本会话中已检索过。${before}${advice}`;
    }
  },
};
