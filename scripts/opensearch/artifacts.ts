/** What is fetched, and by which sums it is known. The server is the project's own zip without bundled plugins. */
export const ARTIFACTS = [
  {
    coordinates: 'org.opensearch.distribution.integ-test-zip:opensearch:3.5.0:zip',
    file: 'opensearch-3.5.0.zip',
    sha256: 'b676ad392c95a94d8d2bd8785b8b922c7811536daf6a9ec0c7277a34bd8a17a9',
    megabytes: 194,
  },
  {
    coordinates: 'org.opensearch.plugin:opensearch-knn:3.5.0.0:zip',
    file: 'opensearch-knn-3.5.0.0.zip',
    sha256: '99fdf3ac9ef95974e276298b83a58532bf21ba13bd5fd96a4b59465b7e613309',
    megabytes: 6,
  },
] as const;
export type Artifact = (typeof ARTIFACTS)[number];

export const [SERVER, KNN] = ARTIFACTS;
export const FOLDER = 'opensearch-3.5.0';

/** One line for whoever waits. */
export type Progress = (line: string) => void;
