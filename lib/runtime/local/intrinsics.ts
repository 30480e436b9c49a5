import * as z from 'zod';

/** A resource of a template; what is read of its properties is parsed by who reads it. */
export const Resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
export type Resource = z.infer<typeof Resource>;

const Pair = z.tuple([z.string(), z.unknown()]);

const PSEUDO: Readonly<Record<string, string | undefined>> = {
  'AWS::AccountId': '000000000000',
  'AWS::NoValue': undefined,
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  // One to everybody: nobody is told apart here.
  'AWS::StackId': 'arn:aws:cloudformation:us-east-1:000000000000:stack/local/local',
  'AWS::StackName': 'local',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Properties that name a resource, by its type; one without a name is called by its logical id. */
const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SQS::Queue': 'QueueName',
};

/** fauxqs knows a queue by the end of its URL, whatever the host. */
export const queueUrl = (name: string): string => `http://127.0.0.1/${PSEUDO['AWS::AccountId']}/${name}`;

/** What a function is told as its search domain; only `--opensearch` makes it a real one. */
export const SEARCH_ENDPOINT = 'opensearch.invalid';

const arnOf = (id: string): string => `arn:aws:local:us-east-1:000000000000:${id}`;

/** The logical id in an ARN that a template's reference became; `undefined` where there is none. */
export const idInArn = (arn: string): string | undefined => /arn:aws:local:[^:]*:\d*:(\w+)/.exec(arn)?.[1];

/** What a template's references and functions stand for in the local run. Throws on those that it does not know. */
export interface Resolver {
  /** The value with every reference in it resolved. */
  resolve(value: unknown): unknown;
  /** What a resource is called. */
  nameOf(id: string): string;
}

export function createResolver(resources: Readonly<Record<string, Resource>>): Resolver {
  const resolver: Resolver = {
    nameOf(id) {
      const { Type, Properties } = resources[id] ?? { Type: '', Properties: {} };
      const given = resolver.resolve(Properties[NAME_PROPERTIES[Type] ?? '']);
      const name = typeof given === 'string' ? given : id;
      // S3 allows no capitals.
      return Type === 'AWS::S3::Bucket' ? name.toLowerCase() : name;
    },
    resolve(value) {
      if (Array.isArray(value)) return value.map(resolver.resolve);
      if (typeof value !== 'object' || value === null) return value;
      const [[name, argument] = ['', undefined], ...more] = Object.entries(value);
      if (more.length === 0 && name === 'Ref') return reference(argument);
      if (more.length === 0 && name.startsWith('Fn::')) return call(name, argument);
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolver.resolve(each)]));
    },
  };

  function reference(argument: unknown): string | undefined {
    const id = z.string().parse(argument);
    if (Object.hasOwn(PSEUDO, id)) return PSEUDO[id];
    const resource = resources[id];
    if (!resource) throw new Error(`the template refers to "${id}", which is not in it`);
    return resource.Type === 'AWS::SQS::Queue' ? queueUrl(resolver.nameOf(id)) : resolver.nameOf(id);
  }

  function call(name: string, argument: unknown): unknown {
    switch (name) {
      case 'Fn::GetAtt':
        return attribute(argument);
      case 'Fn::Join': {
        const [separator, list] = Pair.parse(argument);
        return z.array(z.coerce.string()).parse(resolver.resolve(list)).join(separator);
      }
      default:
        throw new Error(`the local run does not know the template's ${name}`);
    }
  }

  function attribute(argument: unknown): string {
    const [id, wanted] = Pair.parse(argument);
    if (wanted === 'QueueName') return resolver.nameOf(id);
    if (wanted === 'QueueUrl') return queueUrl(resolver.nameOf(id));
    if (wanted === 'DomainEndpoint') return SEARCH_ENDPOINT;
    if (wanted === 'Arn') return arnOf(id);
    // Nothing else of a resource means anything here.
    return `${id}.${String(wanted)}`;
  }

  return resolver;
}
